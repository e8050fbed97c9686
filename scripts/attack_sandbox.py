# SPDX-License-Identifier: Apache-2.0
"""A sandbox of its own on the loopback, a browser of its staff, and what its operator makes in it. Used by attack-api,
attack-load, attack-tls, bench-pages, bench-scale, check-release and soak."""
import contextlib
import http.cookiejar
import json
import os
import pathlib
import random
import re
import secrets
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

BUNDLE = "attackV1"
PASSWORD = secrets.token_urlsafe(24)
PERMISSIONS = [
    "approve:money", "approve:verdicts", "attend:video", "block:users", "chat:customers", "decide:aml",
    "erase:customers", "manage:cases", "manage:outbox", "manage:staff", "manage:tenants", "post:money", "read:audit",
    "read:customers", "read:figures", "read:webhooks", "redeliver:webhooks",
]


def say(text):
    print("attack: " + text, file=sys.stderr, flush=True)


def held(process):
    """KiB of a process; nothing of one that has ended."""
    for file, name in ("smaps_rollup", "Pss:"), ("status", "VmRSS:"):
        with contextlib.suppress(OSError):
            lines = pathlib.Path("/proc/%d/%s" % (process, file)).read_text().splitlines()
            return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)
    return 0


def resident(process):
    """KiB of a process in memory, with all pages that it shares; nothing of one that has ended. The kernel keeps the
    number, where for `held` it walks through all pages while the process waits to be given new ones."""
    with contextlib.suppress(OSError):
        fields = pathlib.Path("/proc/%d/statm" % process).read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") // 1024
    return 0


def children(process):
    """The processes that a process has started and not waited for."""
    with contextlib.suppress(OSError):
        return [int(child) for thread in pathlib.Path("/proc/%d/task" % process).iterdir()
                for child in (thread / "children").read_text().split()]
    return []


def free_port():
    """A port for a server that starts a moment later. It is none of those that the system gives to whatever asks for
    any: another program would have it by then."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


class Browser:
    """A member of staff at the console."""

    def __init__(self, address):
        jar = http.cookiejar.CookieJar()
        self.address, self.opener = address, urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def open(self, path, form=None):
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(
            self.address + path, data, {"accept": "text/html", "x-forwarded-for": "192.0.2.1"})
        with self.opener.open(request, timeout=60) as answer:
            return answer.read().decode()

    def sign_in(self, email):
        csrf = re.search(r'name="csrf" value="([^"]+)"', self.open("/console/sign-in")).group(1)
        self.open("/console/sign-in", {"csrf": csrf, "email": email, "password": PASSWORD})


class Sandbox:
    """A server of its own, and what an operator types beside it."""

    def __init__(self, program, folder, is_lifted):
        """With `is_lifted` the limits of calls are a million times what they are."""
        self.program, self.folder, self.process, self.held = program, folder, None, 0
        self.resident_most, self.sampled_at = 0, 0
        self.port = free_port()
        self.address = "http://127.0.0.1:%d" % self.port
        # Calls come from invented addresses: some limits count addresses, and nothing lifts those.
        settings = {"trustProxy": True, "proxyHeader": "x-forwarded-for", "operations": {"port": 0},
                    "screening": {"partner": "provider:" + PASSWORD}, "saltedge": {}}
        if is_lifted:
            for name in ("registration", "powerauth", "saltedge", "oneassist", "finaptic"):
                settings.setdefault(name, {})["limitFactor"] = 1_000_000
        settings["saltedge"]["publicUrl"] = self.address
        self.settings = folder / "settings.json"
        self.settings.write_text(json.dumps(settings))

    def set(self, **settings):
        """Adds settings, of what is started from now on."""
        self.settings.write_text(json.dumps({**json.loads(self.settings.read_text()), **settings}))

    def listen_to_operators(self):
        """Has the server listen for its operators too. Answers the port."""
        port = free_port()
        self.set(operations={"port": port})
        return port

    def command(self, *arguments, typed=None, seconds=120):
        """Runs a command of the operator. Answers what stands behind "Name: " in its lines, or what its JSON says."""
        try:
            done = subprocess.run(
                [self.program, *arguments, "--config", self.settings, "--data", self.folder / "data", "--log", "error"],
                input=typed, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            raise SystemExit("gatehouse %s did not end in %d seconds" % (" ".join(arguments), seconds)) from None
        if done.returncode != 0:
            raise SystemExit("gatehouse %s left with %d: %s" % (" ".join(arguments), done.returncode, done.stderr))
        if "--json" in arguments:
            return json.loads(done.stdout)
        return dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)

    def start(self):
        self.log = open(self.folder / "server.log", "w")
        self.process = subprocess.Popen(
            [self.program, "serve", "--port", str(self.port), "--config", self.settings, "--data",
             self.folder / "data", "--log", "warning"], stderr=self.log, stdout=self.log,
            env=dict(os.environ, GATEHOUSE_DEMO_BANK_FILE=str(self.folder / "demo-bank.json")))
        for _ in range(600):
            try:
                urllib.request.urlopen(self.address + "/health", timeout=2)
                # Another program may have taken the port since it was drawn, and answer in its place.
                if self.process.poll() is None:
                    return
            except OSError:
                pass
            if self.process.poll() is not None:
                raise SystemExit("the server left with %d, port %d: %s" % (
                    self.process.returncode, self.port, self.last_words()))
            time.sleep(0.2)
        raise SystemExit("the server did not start in two minutes: " + self.last_words())

    def last_words(self):
        """The end of the server's log."""
        return (self.folder / "server.log").read_text(errors="replace")[-2000:]

    def processes(self):
        """What the server computes with. Children are counted when it has waited for them."""
        return [self.process.pid]

    def family(self):
        """The server, and the processes that decode its pictures."""
        found = [self.process.pid]
        for process in found:
            found += children(process)
        return found

    def sample(self):
        """Notes what the server and the processes that decode its pictures hold now, each shared page once (PSS). Of
        a decoder root alone may read that; for others its whole resident memory counts. Answers it in MiB."""
        now = sum(map(held, self.family())) // 1024
        self.held = max(self.held, now)
        return now

    def sample_growth(self):
        """The same as `sample`, but only where more pages than at any time before are in memory, and every ten seconds:
        fewer may be shared then. To measure 400 MiB takes ten milliseconds of a processor, in which threads of the
        server that ask for new pages wait."""
        now = sum(map(resident, self.family()))
        if now > self.resident_most * 33 // 32 or time.monotonic() - self.sampled_at >= 10:
            self.resident_most = max(self.resident_most, now)
            self.sampled_at = time.monotonic()
            self.sample()

    def peak(self):
        """The most memory that the server and its children held at once, in MiB: by samples, and never less than the
        server's own peak, which the kernel counts."""
        lines = pathlib.Path("/proc/%d/status" % self.process.pid).read_text().splitlines()
        return max(self.held, next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM")))

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(40)
        except subprocess.TimeoutExpired:
            self.process.kill()


def credentials(sandbox):
    """What the operator makes before the server runs: clients by the beginning of the paths that they may call."""
    def client(*arguments):
        made = sandbox.command(*arguments)
        return [made["Client"], made["Secret"]]

    run = sandbox.command
    # One key is every device's, and that of a bank with a server of its own (at an address that does not exist).
    key = str(sandbox.folder / "key.pem")
    subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
    subprocess.run(["openssl", "rsa", "-in", key, "-pubout", "-out", key + ".pub"], check=True,
                   capture_output=True)
    remote = run("saltedge", "add", "remote", "--name", "Remote", "--support-email", "help@bank.example", "--base-url",
                 "https://bank.example.invalid", "--public-key", key + ".pub")
    bank = run("saltedge", "add", "bank", "--name", "Bank", "--support-email", "help@bank.example")
    run("staff", "add", "--email", "attacker@staff.example", "--name", "Agent", "--gender", "F", "--permissions",
        "attend:video,read:customers,decide:aml,chat:customers", typed=PASSWORD + "\n")
    # A colleague, and then a member who may do everything on the console: from then on, an agent must be named.
    for name, permissions in (("colleague", "read:customers"), ("administrator", ",".join(PERMISSIONS))):
        run("staff", "add", "--email", name + "@staff.example", "--name", name.title(), "--gender", "F", "--permissions",
            permissions, typed=PASSWORD + "\n")
    run("finaptic", "tenant", "add", "7", "--name", "Attack", "--kind", "sandbox")
    demo = run("saltedge", "demo-bank", "add", "--file", str(sandbox.folder / "demo-bank.json"), "--customer",
               "demo:Demo")["Customer"].split()
    # An account and a card for who gives a name and a telephone number, so that users become customers without pictures.
    bundle = {"id": BUNDLE, "aliases": [], "consents": [], "disclosures": [], "products": ["account", "prepaidCard"],
              "verifications": [{"name": "ProfileCreation", "requiredUpdates": [
                  "UpdatePersonalDetailsRequest", "UpdateContactDetailsRequest"]}]}
    bundles = sandbox.folder / "bundles.json"
    bundles.write_text(json.dumps({"bundles": [bundle]}))
    run("finaptic", "bundles", "load", "7", str(bundles))
    # Without a connector, money by Interac is refused with 503. At this port nothing answers.
    run("finaptic", "interac", "7", "--url", "http://127.0.0.1:9", typed="token\n")
    sandbox_client = client("finaptic", "sandbox-client", "7")
    posting = client("finaptic", "bank", "client", "7", "--posting")
    review = client("powerauth", "client", "add", "reviews", "--scopes", "review,manage,verify,screen")
    return {
        "agent": {"username": "attacker@staff.example", "password": PASSWORD},
        "administrator": {"email": "administrator@staff.example", "password": PASSWORD},
        "demoBank": {"username": demo[0], "password": demo[-1]},
        "finapticKey": run("finaptic", "key", "issue", "7", "--name", "app")["Client key"],
        "partnerBasic": ["provider", PASSWORD],
        "clientBasic": {
            "/api/v1/finaptic/chats": client("chat", "client", "7"),
            "/api/v1/finaptic/": client("finaptic", "bank", "client", "7"),
            "/api/v1/finaptic/postings": posting,
            "/api/v1/finaptic/payments": posting,
            "/api/v1/finaptic/payments/messages": client("finaptic", "bank", "client", "7", "--payments"),
            "/api/v1/finaptic/card-issuer": client("finaptic", "bank", "client", "7", "--issuing"),
            "/api/v1/finaptic/interac": client("finaptic", "bank", "client", "7", "--interac"),
            "/api/v1/finaptic/approvals": client("finaptic", "bank", "client", "7", "--approving"),
            "/finaptic/sandbox/": sandbox_client,
            "/OASYS/": client(
                "oneassist", "add-partner", "853", "--name", "Shop", "--units", "1552", "--international"),
            "/api/v1/oneassist/": review,
            "/api/v1/wultra/": review,
            "/api/v1/powerauth/": review,
            "/v1/screening/": review,
            "/api/v1/saltedge/": [bank["Client"], bank["Secret"]],
        },
        "provider": bank["Provider"],
        "remoteProvider": remote["Provider"],
        "key": key,
        "plan": run("oneassist", "add-plan", "853", "729", "--name", "Plan", "--price", "1000", "--cover", "60000",
                    "--value-max", "100000"),
        "application": run("powerauth", "application", "add", "Attack", "--json"),
    }
