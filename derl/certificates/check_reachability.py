"""Re-check certificates of reachability coefficients with nothing but the standard library.

    python derl/certificates/check_reachability.py FILE...

A certificate holds a model (features of layer h, transitions before it, initial law, which actions exist; integers
over a scale each), a quantity, and a lower and an upper value with the data that prove them. With phi = phi_h,

    nu             min over directions theta of  max over policies of  E[<phi, theta>^2] / |theta|^2      (nu_h^2)
    explorability  the same with (E[<phi, theta>])^2
    lambda         max over policies of the smallest eigenvalue of E[phi phi']

where theta runs through R^d, or through the span of the features that can be reached. Upper values are proved by a
direction, by a matrix rho = R R' ("factor", for lambda), or by squares p_i of a direction where all features that can
be reached lie on the axes; lower values by

    nothing        the value is 0
    vertices       those of {theta : |<x, theta>| <= 1 for all features x}, where chance plays no part before layer h
    mixture, game  policies and weights with  sum_k w_k (E_k[phi phi'] - value I)  positive semidefinite
    cones          a tree of cones that cover all directions, and a mixture for each leaf.

A file with the key "layers" is about the smallest value over the layers 1, ..., H of one instance.

Everything is recomputed in fractions; a field that proves nothing, or occurs twice, is refused. Exit status 0: all
files are right.
"""

import json
import sys
from fractions import Fraction
from itertools import combinations, product
from math import gcd, isqrt


class Wrong(Exception):
    """A certificate that does not prove what it claims; the message says where."""


def problems(certificate):
    """What is wrong with a certificate: a list of lines, empty when everything it claims is true."""
    try:
        if "layers" in certificate:
            check_instance(certificate)
            return [f"layer {h}: {line}" for h, one in enumerate(certificate["layers"], 1) for line in problems(one)]
        check(certificate)
    except Wrong as wrong:
        return [" ".join(str(wrong).split())[:300]]
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        return [" ".join(f"not a certificate: {type(error).__name__} {error}".split())[:200]]
    return []


def demand(truth, message):
    if not truth:
        raise Wrong(message)


def fields(place, name, *allowed):
    demand(type(place) is dict and set(place) == set(allowed),
           f"not a certificate: {name} has other fields than {', '.join(allowed)}")


def check_instance(certificate):
    """The smallest value over all layers: a certificate for each layer, all of one instance; raises Wrong."""
    layers = certificate["layers"]
    demand(set(certificate) == {"layers", "horizon", "lower", "upper"}, "not the four parts of a file of all layers")
    for side in ("lower", "upper"):
        fields(certificate[side], f"the {side} end", "value")
    demand(type(layers) is list and len(layers) == whole(certificate["horizon"], 1), "not one certificate per layer")
    before = None
    for h, one in enumerate(layers, 1):
        demand(type(one) is dict and one["layer"] == h, "the layers are not 1, 2, ..., H")
        demand(all(one[key] == layers[0][key] for key in ("quantity", "subspace")), "the layers differ in their claim")
        model = Model(one["model"], "all")
        demand(before is None or (model.initial, model.available[:-1], model.steps[:-1])
               == (before.initial, before.available, before.steps), f"layer {h} is of another instance")
        before = model
    for side in ("lower", "upper"):
        demand(exact(certificate[side]["value"]) == min(exact(one[side]["value"]) for one in layers),
               f"the {side} value is not the smallest of the layers")


def check(certificate):
    """Both values of one certificate; raises Wrong."""
    quantity, subspace = certificate["quantity"], certificate["subspace"]
    fields(certificate, "it", "quantity", "layer", "subspace", "model", "policies", "lower", "upper")
    demand(quantity in ("nu", "explorability", "lambda"), f"unknown quantity {quantity!r}")
    demand(subspace in ("all", "reachable"), f"unknown subspace {subspace!r}")
    fields(certificate["model"], "the model", "features", "feature_scale", "transitions", "scales", "initial",
           "initial_scale", "available")
    model = Model(certificate["model"], subspace)
    demand(certificate["layer"] == len(model.available), "the model does not end at its layer")
    policies = [model.read_policy(policy) for policy in certificate["policies"]]
    low, high = exact(certificate["lower"]["value"]), exact(certificate["upper"]["value"])
    demand(0 <= low <= high, f"the lower value {low} and the upper value {high} are not in order")
    check_upper(model, quantity, certificate["upper"], high)
    check_lower(model, quantity, certificate["lower"], low, policies)


def exact(value):
    """A fraction from text such as "3/5" or a whole number; JSON's 0.1 is refused because it is not 1/10."""
    demand(type(value) is int or type(value) is str and set(value) <= set("-/0123456789"), f"{value!r} is no fraction")
    return Fraction(value)


def whole(value, least=None):
    demand(type(value) is int and (least is None or value >= least), f"{value!r} is not a whole number >= {least}")
    return value


def dot(x, y):
    """sum_i x_i y_i over one denominator: a fraction per term would look for common divisors at every step."""
    above, below = 0, 1
    for a, b in zip(x, y, strict=True):
        if a and b:
            term, unit = a.numerator * b.numerator, a.denominator * b.denominator
            if below % unit:
                more = unit // gcd(below, unit)
                above, below = above * more, below * more
            above += term * (below // unit)
    return Fraction(above, below)


def distribution(row, scale, size):
    demand(len(row) == size and all(whole(x) >= 0 for x in row) and sum(row) == scale, "a row is not a distribution")
    return [Fraction(x, scale) for x in row]


class Model:
    """The layer: features, transitions before it, and what follows from them by induction, all in fractions."""

    def __init__(self, text, subspace):
        scale, self.known = whole(text["feature_scale"], 1), {}
        self.features = [[[Fraction(whole(x), scale) for x in row] for row in rows] for rows in text["features"]]
        self.states, self.actions = len(self.features), len(self.features[0])
        self.dim = len(self.features[0][0])
        self.available = [[[whole(x, 0) for x in row] for row in layer] for layer in text["available"]]
        demand(all(len(rows) == self.actions and all(len(row) == self.dim for row in rows) for rows in self.features),
               "the features do not have one shape")
        demand(all(len(layer) == self.states and all(len(row) == self.actions and any(row) for row in layer)
                   for layer in self.available), "a state has no action")
        longest = 1 + Fraction(1, 10**9)  # features in floats may be longer than 1 by their rounding
        demand(all(dot(x, x) <= longest for rows, mask in zip(self.features, self.available[-1], strict=True)
                   for x, on in zip(rows, mask, strict=True) if on), "a feature is longer than 1")
        demand(len(text["transitions"]) == len(text["scales"]) == len(self.available) - 1,
               "transitions and layers do not fit")
        self.initial = distribution(text["initial"], whole(text["initial_scale"], 1), self.states)
        self.steps = [[[distribution(rows[s][a], whole(scale, 1), self.states) if mask[s][a] else None
                        for a in range(self.actions)] for s in range(self.states)]
                      for rows, scale, mask in zip(text["transitions"], text["scales"], self.available, strict=False)]
        self.points, self.certain = self.reachable()
        eye = [[int(i == j) for j in range(self.dim)] for i in range(self.dim)]
        self.basis = [row for _, row in reduced(eye if subspace == "all" else self.points)]

    def read_policy(self, policy):
        demand(len(policy) == len(self.available), "a policy does not have one row per layer")
        for mask, row in zip(self.available, policy, strict=True):
            demand(len(row) == self.states and all(0 <= whole(a) < self.actions and mask[s][a]
                                                   for s, a in enumerate(row)), "a policy takes an unavailable action")
        return policy

    def best(self, reward):
        """max over policies of E[reward(phi)] by backward induction."""
        values = [max(reward(phi) for phi, on in zip(rows, mask, strict=True) if on)
                  for rows, mask in zip(self.features, self.available[-1], strict=True)]
        for step in reversed(self.steps):
            values = [max(dot(row, values) for row in rows if row is not None) for rows in step]
        return dot(self.initial, values)

    def moments(self, policies, k):
        """E[phi] and E[phi phi'] under a policy, computed once."""
        if k not in self.known:
            law, d = self.initial, range(self.dim)
            for step, actions in zip(self.steps, policies[k], strict=False):
                rows = [step[s][a] for s, a in enumerate(actions)]
                law = [dot(law, column) for column in zip(*rows, strict=True)]
            met = [(p, self.features[s][a]) for s, (p, a) in enumerate(zip(law, policies[k][-1], strict=True)) if p]
            columns = [[x[i] for _, x in met] for i in d]
            weighted = [[p * x[i] for p, x in met] for i in d]
            half = [[dot(weighted[i], columns[j]) for j in range(i + 1)] for i in d]
            self.known[k] = ([dot([p for p, _ in met], columns[i]) for i in d],
                             [[half[max(i, j)][min(i, j)] for j in d] for i in d])
        return self.known[k]

    def reachable(self):
        """The distinct features that can be met, and whether chance plays no part before the layer."""
        visited, certain = {s for s, p in enumerate(self.initial) if p}, sum(p > 0 for p in self.initial) == 1
        for step in self.steps:
            rows = [row for s in visited for row in step[s] if row is not None]
            certain = certain and all(sum(p > 0 for p in row) == 1 for row in rows)
            visited = {t for row in rows for t, p in enumerate(row) if p}
        mask = self.available[-1]
        return sorted({tuple(self.features[s][a]) for s in visited for a in range(self.actions) if mask[s][a]}), certain

    def contains(self, vectors):
        """Whether the vectors lie in the subspace that the quantity is about."""
        return len(reduced([*self.basis, *vectors])) == len(self.basis)


def reduced(rows):
    """A basis of the row space: pairs (pivot, row), a row being 1 at its own pivot and 0 at those of the others."""
    pairs = []
    for row in rows:
        rest = list(map(Fraction, row))
        for i, other in pairs:
            if rest[i]:
                rest = [x - rest[i] * y for x, y in zip(rest, other, strict=True)]
        i = next((i for i, x in enumerate(rest) if x), None)
        if i is not None:
            rest = [x / rest[i] for x in rest]
            pairs = [(k, [x - other[i] * y for x, y in zip(other, rest, strict=True)]) for k, other in pairs]
            pairs.append((i, rest))
    return pairs


def semidefinite(matrix):
    """Whether a symmetric matrix is positive semidefinite, by L D L'."""
    rows = [list(row) for row in matrix]
    for i in range(len(rows)):
        if rows[i][i] < 0 or rows[i][i] == 0 and any(rows[i][i:]):
            return False
        for k in range(i + 1, len(rows)) if rows[i][i] else ():
            factor = rows[k][i] / rows[i][i]
            rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i], strict=True)]
    return True


def congruence(rows, matrix):
    """B M B' for the rows of B."""
    half = [[dot(row, column) for column in zip(*matrix, strict=True)] for row in rows]
    return [[dot(x, row) for row in rows] for x in half]


def check_upper(model, quantity, proof, value):
    kinds = [kind for kind in ("squares", "direction", "factor") if kind in proof]
    demand(len(kinds) == 1, "not a certificate: the upper end needs squares, a direction or a factor, and one of them")
    fields(proof, "the upper end", "value", *kinds)
    if "squares" in proof:
        squares = [whole(x, 0) for x in proof["squares"]]
        demand(quantity != "explorability" and all(sum(map(bool, point)) <= 1 for point in model.points),
               "squares prove nothing here")
        demand(len(squares) == model.dim and model.contains([squares]), "the squares leave the subspace")
        reached, size = model.best(lambda x: sum(p * y * y for p, y in zip(squares, x, strict=True))), sum(squares)
    else:
        demand("direction" in proof or quantity == "lambda", "a factor proves nothing about this quantity")
        rows = [[x] for x in proof["direction"]] if "direction" in proof else proof["factor"]
        columns = list(zip(*[[whole(x) for x in row] for row in rows], strict=True))
        demand(len(rows) == model.dim and model.contains(columns), "the direction leaves the subspace")
        size = sum(dot(column, column) for column in columns)
        if quantity == "explorability":
            reached = max(model.best(lambda x, s=s: s * dot(x, columns[0])) for s in (1, -1)) ** 2
        else:
            reached = model.best(lambda x: sum(dot(x, column) ** 2 for column in columns))
    demand(size > 0, "the direction is zero")
    demand(reached / size <= value, f"the upper value is {value}, the best policy reaches {reached / size}")


def check_lower(model, quantity, proof, value, policies):
    method, useful = proof["method"], {"nothing": (quantity,), "vertices": ("nu",), "mixture": ("nu", "lambda"),
                                       "game": ("nu", "lambda"), "cones": ("nu", "explorability")}
    demand(quantity in useful.get(method, ()), f"the method {method!r} proves nothing about {quantity}")
    if method == "nothing":
        demand(value == 0, "a positive lower value without a proof")
    elif method == "vertices":
        check_vertices(model, value)
    elif method == "cones":
        check_cones(model, quantity, proof, value, policies)
    else:
        form = mixed_form(model, read_mixture(proof["mixture"], policies), value, policies)
        demand(semidefinite(congruence(model.basis, form)), "the mixture does not reach the lower value")
    fields(proof, "the lower end", "value", "method", *{"mixture": ("mixture",), "game": ("mixture",),
                                                        "cones": ("basis", "nodes")}.get(method, ()))


def read_mixture(pairs, policies, signed=False):
    demand(pairs and all(0 <= whole(k) < len(policies) for k, _ in pairs), "a mixture names an unknown policy")
    demand(all(whole(w) != 0 and (signed or w > 0) for _, w in pairs), "a weight is not positive")
    return [(k, w) for k, w in pairs]


def mixed_form(model, mixture, level, policies):
    """sum_k w_k (E_k[phi phi'] - level I)."""
    total, parts = sum(w for _, w in mixture), [(w, model.moments(policies, k)[1]) for k, w in mixture]
    form = [[0] * model.dim for _ in range(model.dim)]
    for i in range(model.dim):
        for j in range(i + 1):
            form[i][j] = form[j][i] = dot([w for w, _ in parts], [part[i][j] for _, part in parts]) - (
                level * total if i == j else 0)
    return form


def check_vertices(model, value):
    """Every solution of d equations <x_i, theta> = +-1 that lies in the polar body has value |theta|^2 <= 1."""
    demand(model.certain, "chance plays a part before the layer")
    size = len(model.basis)
    demand(len(reduced(model.points)) == size, "the features do not span the space")
    for chosen in combinations(model.points, size):
        rows = [[dot(x, column) for column in model.basis] for x in chosen]
        pairs = reduced([[*row, *(int(i == j) for j in range(size))] for i, row in enumerate(rows)])
        if sorted(i for i, _ in pairs) != list(range(size)):
            continue  # dependent features: some pivot lies beyond their columns
        inverse = [row[size:] for _, row in sorted(pairs)]
        columns = [[dot(row, entries) for entries in zip(*model.basis, strict=True)]
                   for row in zip(*inverse, strict=True)]
        for signs in product((1, -1), repeat=size - 1):
            theta = [dot((1, *signs), entries) for entries in zip(*columns, strict=True)]
            if value * dot(theta, theta) > 1:
                demand(any(abs(dot(x, theta)) > 1 for x in model.points), "a vertex lies beyond the lower value")


def check_cones(model, quantity, proof, value, policies):
    """The tree: orthants of the basis, cut at the middles of edges; every leaf proves its level >= value."""
    columns, size = list(zip(*[[whole(x) for x in row] for row in proof["basis"]], strict=True)), len(model.basis)
    demand(len(columns) == size == len(reduced(columns)) and all(len(c) == model.dim for c in columns)
           and model.contains(columns), "the basis does not span the subspace")
    cones = [[tuple(s * x for x in column) for s, column in zip((1, *signs), columns, strict=True)]
             for signs in product((1, -1), repeat=size - 1)][::-1]
    for node in proof["nodes"]:
        demand(cones, "the tree has more leaves than cones")
        cone = cones.pop()
        fields(node, "a node", *(("cut",) if "cut" in node else ("mixture", "level", "squares")))
        if "cut" in node:
            i, j = node["cut"]
            demand(0 <= whole(i) < size and 0 <= whole(j) < size and i != j, "a cut is not an edge")
            # columns may be stretched: twice the middle, and twice the others, so that all stay comparable and whole
            middle = tuple(x + y for x, y in zip(cone[i], cone[j], strict=True))
            first = [tuple(2 * x for x in column) for column in cone]
            second = list(first)
            first[i], second[j] = middle, middle
            cones += [second, first]
            continue
        level = exact(node["level"])
        demand(level >= value, "a leaf proves less than the lower value")
        mixture = read_mixture(node["mixture"], policies, signed=quantity == "explorability")
        if quantity == "nu":
            proved = copositive(cone, mixed_form(model, mixture, level, policies),
                                [[whole(x) for x in row] for row in node["squares"]], sum(w for _, w in mixture))
        else:  # the signed mixture of mean features is ahead of sqrt(level) |v| at every corner v
            mean = [sum(w * model.moments(policies, k)[0][i] for k, w in mixture) for i in range(model.dim)]
            bound = level * sum(abs(w) for _, w in mixture) ** 2
            proved = all(dot(mean, v) >= 0 and dot(mean, v) ** 2 >= bound * dot(v, v) for v in cone)
        demand(proved, "a leaf does not prove its level")
    demand(not cones, "a cone is not covered")


def copositive(cone, form, squares, unit):
    """Whether x' M x >= 0 for x >= 0 and M = V' form V, because squares may be left out and the rest is dominated.

    With n_i close to 2^40 |v_i|, a row q stands for unit (sum_i q_i n_i x_i / 2^80)^2. What remains, N, satisfies
    s_i N_ii + sum_j s_j min(0, N_ij) >= 0 with positive scales s_i, and then x' N x >= 0.
    """
    lengths = [isqrt(sum(x * x for x in v) << 80) + 1 for v in cone]
    scales, rest = [(max(lengths) << 20) // length for length in lengths], congruence(cone, form)
    for i, n in enumerate(lengths):
        for j, m in enumerate(lengths):
            rest[i][j] -= Fraction(unit * n * m * sum(q[i] * q[j] for q in squares), 2**160)
    return all(scales[i] * row[i] + sum(scales[j] * min(x, 0) for j, x in enumerate(row) if j != i) >= 0
               for i, row in enumerate(rest))


def unique(pairs):
    """An object of JSON in which no key occurs twice: a reader may have seen the first, `json` takes the last."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def main(paths):
    wrong = not paths
    for path in paths:
        try:
            with open(path, encoding="utf-8") as stream:
                found = problems(json.load(stream, object_pairs_hook=unique))
        except (OSError, ValueError, RecursionError) as error:
            found = [f"cannot be read: {error}"]
        wrong = wrong or bool(found)
        line = f"{path}: {'; '.join(found) or 'right'}"
        print("".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line))
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
