# SPDX-License-Identifier: Apache-2.0
"""Documentation for Xcode (DocC), written from the pages of docs/sdk: an article and a tutorial for each page's product.

The tutorial's steps are the page's own blocks of code, which a test compiles, so that nothing is told twice.
"""
import pathlib
import re

FENCE = re.compile(r"^```(\w*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
PRODUCT = re.compile(r'\.product\(name: "([^"]+)", package: "[^"]+"\)')
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]+\)")

# A chapter has to have one.
PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" width="720" height="240" viewBox="0 0 720 240">
  <rect width="720" height="240" fill="#1f3a5f"/>
  <text x="360" y="132" font-family="sans-serif" font-size="40" fill="#ffffff" text-anchor="middle">{name}</text>
</svg>
"""


class Page:
    """One page of docs/sdk."""

    def __init__(self, path):
        self.text = pathlib.Path(path).read_text()
        blocks = [(match.start(), match[2]) for match in FENCE.finditer(self.text) if match[1] == "swift"]
        self.install = blocks[0][1]
        self.product = PRODUCT.search(self.install)[1]
        self.code = [(self.heading(start), text) for start, text in blocks[1:] if not text.startswith(".product")]
        body = self.text.split("\n", 1)[1].replace(f"```swift\n{self.install}```\n", "", 1).strip()
        # A link within the repository leads nowhere from here.
        self.body = LINK.sub(r"\1", body)
        self.title = self.text.split("\n", 1)[0].removeprefix("# ")

    def heading(self, place):
        """The heading that a place of the page is below."""
        found = re.findall(r"^#+ (.*)$", self.text[:place], re.MULTILINE)
        return found[-1]

    @property
    def abstract(self):
        """The first sentence of prose."""
        return re.split(r"(?<=[.!?])\s", " ".join(self.body.split("\n\n")[0].split()))[0]


def pages(folder):
    return [Page(path) for path in sorted(pathlib.Path(folder).glob("*.md")) if path.name != "README.md"]


def manifest(page, with_product):
    """A whole manifest of an app, without and with the product."""
    line = next(line for line in page.install.split("\n") if line.startswith(".package(")).split("  //")[0].strip()
    needs = ", ".join(match[0] for match in PRODUCT.finditer(page.install)) if with_product else ""
    needs = "\n        " + needs.replace("), .", "),\n        .") + "\n      " if needs else ""
    return f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "App",
  platforms: [.iOS(.v16), .macOS(.v13)],
  dependencies: [
    {line}
  ],
  targets: [
    .target(
      name: "App",
      dependencies: [{needs}]),
  ]
)
"""


def step(text, name, file):
    return f"""      @Step {{
        {text}
        @Code(name: "{name}", file: "{file}")
      }}
"""


def catalogue(page):
    """The files of the product's catalogue, by their paths."""
    files = {"Resources/01-package.swift": manifest(page, False), "Resources/02-package.swift": manifest(page, True)}
    install = step("Name the package.", "Package.swift", "01-package.swift") + step(
        "Name the product among what the target needs.", "Package.swift", "02-package.swift")
    calls = ""
    for number, (heading, code) in enumerate(page.code, start=3):
        file = f"{number:02}-app.swift"
        files[f"Resources/{file}"] = code
        calls += step(f"{heading}: this file compiles as it stands.", f"App{number - 2}.swift", file)
    name = page.product
    files["Resources/chapter.svg"] = PICTURE.format(name=name)
    files[f"{name}.md"] = f"""# ``{name}``

{page.abstract}

## Overview

{re.sub(r"^##", "###", page.body, flags=re.MULTILINE)}

## Topics

### Begin

- <doc:{name}-Tutorials>
"""
    files[f"{name}-Tutorials.tutorial"] = f"""@Tutorials(name: "{name}") {{
  @Intro(title: "{page.title}") {{
    {page.abstract}
  }}

  @Chapter(name: "Begin") {{
    From an app without the package to the first calls.

    @Image(source: "chapter.svg", alt: "The name of the product")
    @TutorialReference(tutorial: "doc:{name}-Begin")
  }}
}}
"""
    files[f"{name}-Begin.tutorial"] = f"""@Tutorial(time: 10) {{
  @Intro(title: "{name} in an app") {{
    {page.abstract}
  }}

  @Section(title: "Install it") {{
    @ContentAndMedia {{
      One package has all SDKs. On Apple's systems it needs no other.
    }}

    @Steps {{
{install}    }}
  }}

  @Section(title: "Call it") {{
    @ContentAndMedia {{
      What the article explains, as files of an app.
    }}

    @Steps {{
{calls}    }}
  }}
}}
"""
    return files
