# SPDX-License-Identifier: Apache-2.0
"""nginx on the loopback that answers the calls of attack-load's callers with as many bytes as the server does, and
does next to nothing for them: what callers wait for it beside the same attackers is the machine's part and the attackers'."""
import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import time
import urllib.request

from attack_sandbox import held

# The longest text of nginx's configuration is 4,096 bytes: longer answers to POST are cut to this, others are files.
TEXT_MAX = 3000
TOKEN = "a" * 400

CONFIGURATION = """
daemon off;
worker_processes {workers};
{user}
pid {folder}/pid;
error_log {folder}/error.log error;
events {{ worker_connections 2048; }}
http {{
  access_log off;
  default_type application/json;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  # A registration has some hundred bytes; what attackers send is shorter or longer, and refused.
  map $content_length $is_registration {{ default 0; "~^[1-9][0-9][0-9]$" 1; }}
  server {{
    listen 127.0.0.1:{port} backlog=2048;
    location = /api/v1/onboarding/auth/register {{
      add_header x-access-token {token};
      if ($is_registration) {{ return 200 "{register}"; }}
      return 422 "{refusal}";
    }}
    location = /api/v1/onboarding/sessions {{ return 200 "{sessions}"; }}
{files}
    # Reads the body within its usual limit of 1 MB before it refuses, as a server behind it would.
    location / {{ return 404 "{refusal}"; }}
    location /api/v1/onboarding/faces/ {{ return 422 "{refusal}"; }}
  }}
}}
"""


def filler(size):
    return "a" * max(1, min(size, TEXT_MAX))


class Baseline:
    """An nginx of its own, with as many workers as the server may have processors and its usual limits of bodies."""

    def __init__(self, folder, sizes, basic):
        """`sizes` has the bytes of the server's answers, by path; `basic` is what the callers' bank shows."""
        self.folder, self.process, self.most, self.basic = folder / "nginx", None, 0, basic
        self.folder.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        posted = ("/api/v1/onboarding/auth/register", "/api/v1/onboarding/sessions")
        files = []
        for number, (path, size) in enumerate(sorted(sizes.items())):
            if path not in posted:
                (self.folder / str(number)).write_bytes(b"a" * size)
                files.append("    location = %s { %salias %s/%d; }" % (path, self.proof(path), self.folder, number))
        # The workers have to read the temporary folder, which is its owner's alone.
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(CONFIGURATION.format(
            workers=len(os.sched_getaffinity(0)), user=user, folder=self.folder, port=self.port, token=TOKEN,
            register=filler(sizes[posted[0]]), sessions=filler(sizes[posted[1]]), refusal=filler(200),
            files="\n".join(files)))

    def proof(self, path):
        """Refuses calls without what callers show, and those of who guesses."""
        if path in ("/api/v1/onboarding/auth/me", "/api/v1/onboarding/steps"):
            return 'if ($http_x_access_token != "%s") { return 401 "%s"; } ' % (TOKEN, filler(200))
        if path == "/api/v1/powerauth/applications":
            return 'if ($http_authorization != "%s") { return 401 "%s"; } ' % (self.basic, filler(200))
        return ""

    def start(self):
        program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
        if program is None:
            raise SystemExit("--baseline needs nginx: apt-get install nginx-light")
        self.process = subprocess.Popen([program, "-p", self.folder, "-c", self.folder / "nginx.conf"],
                                        stderr=subprocess.DEVNULL)
        for _ in range(100):
            with contextlib.suppress(OSError):
                urllib.request.urlopen("http://127.0.0.1:%d/health" % self.port, timeout=2)
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise SystemExit("nginx did not start: " + (self.folder / "error.log").read_text()[-2000:])

    def processes(self):
        """It and its workers."""
        listed = pathlib.Path("/proc/%d/task/%d/children" % (self.process.pid, self.process.pid)).read_text()
        return [self.process.pid, *map(int, listed.split())]

    def sample_growth(self):
        """Of so few pages the exact number costs next to nothing."""
        self.most = max(self.most, sum(map(held, self.processes())) // 1024)

    def peak(self):
        return self.most

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
