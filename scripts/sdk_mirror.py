# SPDX-License-Identifier: Apache-2.0
"""The package for apps, written from the manifest of this repository: what the SDKs' products reach, no more."""
import json
import pathlib
import plistlib
import re
import shutil
import subprocess
import tempfile

import sdk_docc

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "gatehouse-sdk"
# An address of the documentation (RFC 2606): who publishes the package gives the real one.
URL = f"https://git.example/{NAME}"
# The reason is in docs/decisions/0102-the-floor-of-the-sdks.md.
FLOORS = {"ios": ("iOS", "16.0"), "macos": ("macOS", "13.0")}
LICENCE = "// SPDX-License-Identifier: Apache-2.0"
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
PRIVACY = ROOT / "packaging" / "apple" / "privacy.json"


class Wrong(Exception):
    """What has to be changed before apps can be given anything; its text is shown."""


def releases():
    """The commit of each version that was released up to here. A clone may have no tags, because a push and a fetch of a
    branch alone carry none: there the commits that `scripts/release` makes tell, by their subject."""
    def git(*words):
        return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True).stdout.splitlines()

    found = {}
    for line in git("log", "--format=%H %s", "--extended-regexp", "--grep=^Release [0-9]+[.][0-9]+[.][0-9]+$"):
        commit, subject = line.split(" ", 1)
        version = subject.removeprefix("Release ")
        if VERSION.fullmatch(version):
            found.setdefault(version, commit)
    found |= {tag: tag for tag in git("tag", "--list", "--merged", "HEAD") if VERSION.fullmatch(tag)}
    return found


def last_release():
    """The highest version that was released up to here with its commit; nil before the first release.

    Raises Wrong where the history is cut off before any release: what is not there would pass for what never was."""
    known = releases()
    if not known and is_shallow():
        raise Wrong("this clone has a part of the history, and no release in it: git fetch --unshallow --tags")
    return max(known.items(), key=lambda release: tuple(map(int, release[0].split("."))), default=None)


def is_shallow():
    """Whether this is a clone of the last commits only, as `git clone --depth 1` and many runners of CI make it."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--is-shallow-repository"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip() == "true"


def manifest():
    """The manifest of this repository as the package manager reads it."""
    with tempfile.TemporaryDirectory() as scratch:
        command = ["swift", "package", "--package-path", str(ROOT), "--scratch-path", scratch, "dump-package"]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Wrong(f"Package.swift cannot be read: {done.stderr.strip()[-2000:]}")
    return json.loads(done.stdout)


class Sources:
    """Which targets apps get, and what each of them needs."""

    def __init__(self, dump):
        self.targets = {target["name"]: target for target in dump["targets"]}
        libraries = [product for product in dump["products"] if "library" in product["type"]]
        self.products = {product["name"]: product["targets"] for product in libraries}
        for product, names in self.products.items():
            for name in names:
                if not self.targets[name]["path"].startswith(("Sources/SDK/", "Sources/Shared/")):
                    raise Wrong(f"{product} gives apps {name}, which is no part of an SDK.")
        reached = self.reach(name for names in self.products.values() for name in names)
        # In the order of the manifest, in which what is needed stands before what needs it.
        self.names = [target["name"] for target in dump["targets"] if target["name"] in reached]
        self.packages = {}
        for source in dump["dependencies"]:
            control = source["sourceControl"][0]
            self.packages[control["identity"]] = (
                control["location"]["remote"][0]["urlString"], control["requirement"]["range"][0]["lowerBound"])
        self._check()

    def siblings(self, name):
        return [need["byName"][0] for need in self.targets[name]["dependencies"] if "byName" in need]

    def foreign(self, name):
        """(product, package) of others."""
        return [tuple(need["product"][:2]) for need in self.targets[name]["dependencies"] if "product" in need]

    def reach(self, names):
        """Those targets, their siblings, theirs, and so on."""
        reached, frontier = set(), list(names)
        while frontier:
            name = frontier.pop()
            if name not in reached:
                reached.add(name)
                frontier += self.siblings(name)
        return reached

    def pods(self):
        """Targets that can be pods: CocoaPods makes no `Bundle.module`, which one with resources looks for."""
        return [
            name for name in self.names if not any(self.targets[other]["resources"] for other in self.reach([name]))]

    def _check(self):
        for name in self.names:
            if not self.targets[name]["path"].startswith(("Sources/SDK/", "Sources/Shared/")):
                raise Wrong(f"an SDK reaches {name}, which is no part of an SDK.")
            for need in self.targets[name]["dependencies"]:
                if "product" in need and (need["product"][3] or {}).get("platformNames") != ["linux"]:
                    raise Wrong(f"{name} needs {need['product'][0]} on other systems than Linux.")


def tracked(folder):
    """Files of a folder that the repository has, with what they hold now."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder],
        capture_output=True, check=True, text=True).stdout
    return sorted(path for path in listed.split("\0") if path and (ROOT / path).is_file())


def privacy(sources):
    """What each target says to the App Store, by its name."""
    said = json.loads(PRIVACY.read_text())
    for name in list(said["accessed"]) + list(said["collected"]):
        if name not in sources.names:
            raise Wrong(f"{PRIVACY.relative_to(ROOT)} names {name}, which apps do not get.")
    result = {}
    for name in sources.names:
        accessed, collected = said["accessed"].get(name, {}), said["collected"].get(name, [])
        if not accessed and not collected:
            continue
        result[name] = {
            "NSPrivacyTracking": False,
            "NSPrivacyTrackingDomains": [],
            "NSPrivacyCollectedDataTypes": [
                {
                    "NSPrivacyCollectedDataType": f"NSPrivacyCollectedDataType{kind}",
                    "NSPrivacyCollectedDataTypeLinked": True,
                    "NSPrivacyCollectedDataTypeTracking": False,
                    "NSPrivacyCollectedDataTypePurposes": ["NSPrivacyCollectedDataTypePurposeAppFunctionality"],
                } for kind in collected
            ],
            "NSPrivacyAccessedAPITypes": [
                {
                    "NSPrivacyAccessedAPIType": f"NSPrivacyAccessedAPICategory{category}",
                    "NSPrivacyAccessedAPITypeReasons": reasons,
                } for category, reasons in accessed.items()
            ],
        }
    return result


def setting(value):
    """A setting of a target beyond `strict`, in Swift; nil for one of those."""
    (kind, argument), = value["kind"].items()
    if kind in ("swiftLanguageMode", "enableUpcomingFeature"):
        return None
    config = value.get("condition", {}).get("config")
    if kind != "define" or not config:
        raise Wrong(f"the manifest for apps cannot say the setting {json.dumps(value)} yet.")
    return f'.define("{argument["_0"]}", .when(configuration: .{config}))'


def resource_texts(target, has_privacy):
    """The resources of a target, in Swift."""
    texts = ['.copy("PrivacyInfo.xcprivacy")'] if has_privacy else []
    for resource in target["resources"]:
        (rule, options), = resource["rule"].items()
        if rule not in ("process", "copy", "embedInCode") or any(options.values()):
            raise Wrong(f"the manifest for apps cannot say the resource {json.dumps(resource)} yet.")
        texts.append(f'.{rule}("{resource["path"]}")')
    return texts


def package_text(sources, resources):
    """The manifest for apps."""
    used = []
    for name in sources.names:
        for _, package in sources.foreign(name):
            if package.lower() not in used:
                used.append(package.lower())
    ios, macos = (FLOORS[key][1].split(".")[0] for key in ("ios", "macos"))
    lines = [
        "// swift-tools-version: 6.2",
        LICENCE,
        "// Written by `make sdk-release` of Gatehouse. Change it there.",
        "",
        "import PackageDescription",
        "",
        "// Apple's systems have what these packages give. A condition of a target would have every app check them out",
        "// all the same, so they are not in the manifest at all. The variable is for who builds for Linux on a Mac.",
        "#if os(Linux)",
        '  let here = "linux"',
        "#else",
        '  let here = "apple"',
        "#endif",
        'let isLinux = (Context.environment["GATEHOUSE_SDK_SYSTEM"] ?? here) == "linux"',
        "func onLinux<Need>(_ needs: [Need]) -> [Need] { isLinux ? needs : [] }",
        "",
        "let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature(\"ExistentialAny\")]",
        "",
        "let package = Package(",
        f'  name: "{NAME}",',
        f"  platforms: [.iOS(.v{ios}), .macOS(.v{macos})],",
        "  products: [",
    ]
    for product, names in sources.products.items():
        quoted = ", ".join(f'"{name}"' for name in names)
        lines.append(f'    .library(name: "{product}", targets: [{quoted}]),')
    lines += ["  ],", "  dependencies: onLinux(["]
    for identity in used:
        url, version = sources.packages[identity]
        lines.append(f'    .package(url: "{url}", from: "{version}"),')
    lines += ["  ]),", "  targets: ["]
    for name in sources.names:
        target = sources.targets[name]
        needs = "[" + ", ".join(f'"{sibling}"' for sibling in sources.siblings(name)) + "]"
        foreign = [f'.product(name: "{product}", package: "{package}")' for product, package in sources.foreign(name)]
        if foreign:
            needs += "\n        + onLinux([" + ",\n          ".join(foreign) + "])"
        files = resource_texts(target, name in resources)
        settings = [text for text in map(setting, target["settings"]) if text]
        if files:
            # What the package manager adds to a target with resources does not say for whom it imports Foundation.
            settings.insert(0, '.enableUpcomingFeature("InternalImportsByDefault")')
        lines += [
            "    .target(",
            f'      name: "{name}",',
            f"      dependencies: {needs},",
            f'      path: "{target["path"]}",',
        ]
        if target["exclude"]:
            lines.append("      exclude: [" + ", ".join(f'"{path}"' for path in target["exclude"]) + "],")
        if files:
            lines.append("      resources: [" + ", ".join(files) + "],")
        more = "".join(f"\n        + [{text}]" for text in settings)
        lines.append(f"      swiftSettings: strict{more}),")
    return "\n".join(lines + ["  ]", ")", ""])


def podspec(sources, name, version, url, resources):
    """The target as a pod. CocoaPods makes a module of each pod, so each target is one."""
    target = sources.targets[name]
    spec = {
        "name": name,
        "version": version,
        "summary": f"{name} of Gatehouse's SDKs",
        "homepage": url,
        "license": {"type": "Apache-2.0", "file": "LICENSE"},
        "authors": "The maintainers of Gatehouse",
        "source": {"git": f"{url}.git", "tag": version},
        "platforms": {"ios": FLOORS["ios"][1], "osx": FLOORS["macos"][1]},
        "swift_versions": ["6.0"],
        "module_name": name,
        "source_files": f"{target['path']}/**/*.swift",
        # The code of the tutorials is shown, not compiled.
        "exclude_files": [f"{target['path']}/*.docc/**/*", *(f"{target['path']}/{path}" for path in target["exclude"])],
        # What is `package` in the sources is seen by the pods of this package and by no app.
        "pod_target_xcconfig": {
            "OTHER_SWIFT_FLAGS": "$(inherited) -package-name gatehouse_sdk -enable-upcoming-feature ExistentialAny"
        },
    }
    for value in target["settings"]:
        if "define" in value["kind"]:
            key = f"SWIFT_ACTIVE_COMPILATION_CONDITIONS[config={value['condition']['config'].capitalize()}]"
            spec["pod_target_xcconfig"][key] = f"$(inherited) {value['kind']['define']['_0']}"
    needs = {sibling: [version] for sibling in sources.siblings(name)}
    if needs:
        spec["dependencies"] = needs
    if name in resources:
        spec["resource_bundles"] = {f"{name}_Privacy": [f"{target['path']}/PrivacyInfo.xcprivacy"]}
    return spec


def licensed(text):
    """The text of a file of Swift with its licence in the first line (https://spdx.dev/ids/)."""
    return text if text.startswith(LICENCE) else f"{LICENCE}\n\n{text}"


def readme(sources, version, url):
    rows = "\n".join(
        f"| `{product}` | " + ", ".join(f"`{name}`" for name in sorted(sources.reach(names) - {product})) + " |"
        for product, names in sources.products.items())
    return f"""# Gatehouse's SDKs for apps

    .package(url: "{url}", from: "{version}"),

and the product in the app's target, such as `.product(name: "{next(iter(sources.products))}", package: "{NAME}")`.
On Apple's systems no other package is needed; on Linux swift-crypto and OpenCombine are. From iOS {FLOORS["ios"][1]} and
macOS {FLOORS["macos"][1]}, built by Swift 6.2 or later. By CocoaPods each target is a pod:
`pod '…', :git => '{url}.git', :tag => '{version}'` for the product and each target beside it.

| product | targets that it brings along |
|---|---|
{rows}

This package is written by `make sdk-release` of Gatehouse's repository, where its documentation and its tests are.
"""


def write(out, version, url=URL):
    """Writes the package into a folder, whose files but for `.git` are replaced. Gives what it was written from."""
    sources = Sources(manifest())
    resources = privacy(sources)
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    for entry in out.iterdir():
        if entry.name not in (".git", ".build"):
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    for name in sources.names:
        for path in tracked(sources.targets[name]["path"]):
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            if path.endswith(".swift"):
                (out / path).write_text(licensed((ROOT / path).read_text()))
            else:
                shutil.copyfile(ROOT / path, out / path)
    for name, said in resources.items():
        with open(out / sources.targets[name]["path"] / "PrivacyInfo.xcprivacy", "wb") as file:
            plistlib.dump(said, file, sort_keys=False)
    for page in sdk_docc.pages(ROOT / "docs" / "sdk"):
        for path, text in sdk_docc.catalogue(page).items():
            file = out / sources.targets[page.product]["path"] / f"{page.product}.docc" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    for name in sources.pods():
        spec = podspec(sources, name, version, url, resources)
        (out / f"{name}.podspec.json").write_text(json.dumps(spec, indent=2) + "\n")
    shutil.copyfile(ROOT / "LICENSE", out / "LICENSE")
    (out / ".gitignore").write_text(".build/\n.swiftpm/\nPackage.resolved\n")
    (out / "README.md").write_text(readme(sources, version, url))
    (out / "Package.swift").write_text(package_text(sources, resources))
    return sources
