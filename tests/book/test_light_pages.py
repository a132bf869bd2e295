"""Pages in fewer bytes say the same: text, links, code and scripts stay."""

import lxml.html
from light_pages import light

PAGE = """<html><head><!-- a remark -->
    <script>if (1 <
        2) { "<span class='x'>"; }</script></head>
  <body>
    <h1>One</h1>
    <p>See <a class="reference internal" href="a.html#b"><code class="docutils literal notranslate">\
<span class="pre">f</span></code></a>,
      <a class="reference external" href="https://example.org">there</a> and
      <span class="math notranslate nohighlight">\\(x\\)</span>.</p>
    <ul><li class="toctree-l1 current">1</li><li class="toctree-l1">2</li></ul>
    <div id="jb-print-toc"><div><h2>Contents</h2></div><nav aria-label="Page"><a href="#x">x</a></nav>
    </div>
    <tr class="row-odd"><td>1</td></tr>
<div class="highlight-python notranslate"><div class="highlight"><pre>\
<span></span><span class="n">f</span><span class="p">(</span>
    <span class="mi">1</span><span class="p">)</span>
</pre></div></div></body></html>"""


def test_text_links_code_and_scripts_stay():
    thin = light(PAGE)
    before, after = (lxml.html.document_fromstring(text) for text in (PAGE.replace("<!-- a remark -->", ""), thin))
    for gone in before.xpath("//div[@id='jb-print-toc']"):
        gone.drop_tree()
    assert after.text_content().split() == before.text_content().split()
    assert after.xpath("//a/@href") == before.xpath("//a/@href")
    assert after.xpath("string(//pre)") == before.xpath("string(//pre)") == "f(\n    1)\n"
    assert after.xpath("string(//script)") == before.xpath("string(//script)")


def test_bytes_that_no_reader_needs_go():
    thin = light(PAGE)
    assert len(thin) < 0.75 * len(PAGE) and light(thin) == thin
    assert '<a href="a.html#b"><code class="literal pre">f</code></a>' in thin
    assert '<a class="reference external" href=' in thin and r"<span class=math>\(x\)</span>" in thin
    assert '<li class="toctree-l1 current">1</li><li class=toctree-l1>2</li>' in thin and "<tr><td>" in thin
    assert "remark" not in thin and "notranslate" not in thin and "\n    <h1>" not in thin
