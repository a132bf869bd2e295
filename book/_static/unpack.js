// The value that a packed script (book/_ext/packing.py) holds under a name.
window.derlUnpack = async (name) => {
  const bytes = Uint8Array.from(atob(window.derlPacked[name]), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
};
