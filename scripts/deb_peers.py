#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gateways of an installation that scripts/deb-check sets up: a mail server and a gateway of texts on this machine.

What they were given is at /dev/outbox.json in the form of a sandbox's outbox, so that the page of scripts/play-by-hand
finds its codes there, and the day at /dev/clock.

usage: deb_peers.py MAIL_PORT HTTP_PORT"""
import datetime
import email
import email.policy
import http.server
import json
import socketserver
import sys
import threading
import urllib.parse

MESSAGES, LOCK = [], threading.Lock()


def keep(to, body):
    with LOCK:
        MESSAGES.insert(0, {"to": to, "body": body})


class Mail(socketserver.StreamRequestHandler):
    """As much of SMTP (RFC 5321) as a client needs that only delivers."""

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def handle(self):
        to = []
        self.say("220 peers")
        while line := self.rfile.readline():
            word = line[:4].upper()
            if word == b"RCPT":
                to.append(line.decode().split("<")[1].split(">")[0])
            if word == b"DATA":
                self.say("354 go on")
                lines = []
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(line.removeprefix(b"."))
                message = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
                body = message.get_body(("plain",))
                for address in to:
                    keep(address, body.get_content() if body else "")
                to = []
            self.say("221 bye" if word == b"QUIT" else "250 ok")
            if word == b"QUIT":
                return


class Texts(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/dev/outbox.json":
            with LOCK:
                return self.answer({"messages": MESSAGES})
        if url.path == "/dev/clock":
            return self.answer({"now": datetime.datetime.now(datetime.timezone.utc).isoformat()})
        query = urllib.parse.parse_qs(url.query)
        keep("+" + query["to"][0].strip().lstrip("+"), query["text"][0])
        return self.answer({})

    do_POST = do_GET

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    mail = socketserver.ThreadingTCPServer(("127.0.0.1", int(sys.argv[1])), Mail)
    threading.Thread(target=mail.serve_forever, daemon=True).start()
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Texts).serve_forever()


if __name__ == "__main__":
    main()
