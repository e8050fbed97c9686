# SPDX-License-Identifier: Apache-2.0
"""Package.swift, as far as the checks for Apple's systems need it."""
import re
import sys


def fault(text):
    print(f"apple: {text}", file=sys.stderr)
    sys.exit(2)


def closing(text, start, pair="{}"):
    """Where the bracket is closed that opens at `start`. Brackets in texts are taken to be in pairs."""
    depth = 0
    for place in range(start, len(text)):
        depth += {pair[0]: 1, pair[1]: -1}.get(text[place], 0)
        if depth == 0:
            return place
    fault("a bracket that is not closed")


class Manifest:
    """Products and targets, as Package.swift words them."""

    def __init__(self, path):
        text = open(path, encoding="utf-8").read()
        products = re.findall(r'\.library\(\s*name: "([^"]+)",(?: type: \.\w+,)? targets: \[([^\]]*)\]', text)
        self.products = [targets for _, targets in products]
        # The targets of each product, by its name.
        self.named = {name: re.findall(r'"([^"]+)"', targets) for name, targets in products}
        self.targets, self.tests = {}, []
        for block in re.split(r"\n    \.(?=target\(|systemLibrary\(|executableTarget\(|testTarget\()", text)[1:]:
            name, path = re.search(r'name: "([^"]+)"', block), re.search(r'[( ]path: "([^"]+)"', block)
            if not name or not path:
                continue
            listed = block.find("dependencies: [")
            plain = block[listed:closing(block, block.index("[", listed), "[]")] if listed >= 0 else ""
            while ".product(" in plain:
                begin = plain.index(".product(")
                plain = plain[:begin] + plain[closing(plain, plain.index("(", begin), "()") + 1:]
            self.targets[name.group(1)] = (path.group(1), re.findall(r'"([^"]+)"', plain))
            if block.startswith("testTarget("):
                self.tests.append(name.group(1))

    def order(self, wanted):
        """The targets that are wanted and what they need, each after what it needs."""
        done = []

        def visit(name):
            if name in done:
                return
            if name not in self.targets:
                fault(f"{name} is no target of Package.swift")
            for other in self.targets[name][1]:
                visit(other)
            done.append(name)

        for name in wanted:
            visit(name)
        return done
