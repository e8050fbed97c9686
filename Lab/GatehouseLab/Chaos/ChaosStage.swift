// SPDX-License-Identifier: Apache-2.0

import Demonstration
import Foundation
import GatehouseTransport
import Storage
import Synchronization

/// An installation of several processes on the loopback, in one folder that is thrown away: nodes, a balancer before
/// them, and the others around them.
final class ChaosStage: Sendable {
  /// What an installation is made of.
  struct Plan: Sendable {
    var nodes = 1
    /// `postgres://…` of a throw-away server; nil is SQLite in the folder.
    var databaseURL: String?
    /// How commits of SQLite reach the disk.
    var durability = SQLite.Durability.full
    /// Seconds that the last node's clock is ahead; 0 leaves it right.
    var skewSeconds = 0
    var usesS3 = false
    /// Whom the invented institution knows, numbered from 0.
    var clients = 0
    var program: String
    var scripts: String
  }

  static let bucket = "chaos"
  /// How often a server is asked whether it is up, a tenth of a second apart.
  static let asksMax = 600

  let plan: Plan
  let folder: String
  let children: Children
  let outside: ChaosOutside
  /// Where customers call.
  let address: URL
  private let ports: [Int]
  private let s3Port: Int
  private let nodes: Mutex<[Process?]>

  init(_ plan: Plan, folder: String) async throws {
    self.plan = plan
    self.folder = folder
    children = Children(folder: folder)
    // Free a moment ago; each is taken when its server starts.
    ports = try (0..<plan.nodes).map { _ in try ReservedPort().number }
    s3Port = try ReservedPort().number
    nodes = Mutex(Array(repeating: nil, count: plan.nodes))
    outside = try ChaosOutside.start(children, script: "\(plan.scripts)/chaos-outside", s3: s3Port)
    let front = plan.nodes > 1 ? try ReservedPort().number : ports[0]
    guard let address = URL(string: "http://127.0.0.1:\(front)") else { throw TransportError(.other) }
    self.address = address
    try WultraInstitution.institution(clients: plan.clients).write(
      to: URL(fileURLWithPath: "\(folder)/institution.json"))
    try FinapticBank.profiles().write(to: URL(fileURLWithPath: "\(folder)/profiles.json"))
    try writeSettings()
    if plan.usesS3 { try await startS3() }
    // One after the other at first, so that the very first migration is seen alone; later they start as they die.
    for node in ports.indices {
      try start(node)
      try await answers(port: ports[node])
    }
    if plan.nodes > 1 {
      try writeBalancer(port: front)
      _ = try children.start(
        "/usr/sbin/nginx", ["-p", folder, "-c", "\(folder)/nginx.conf", "-e", "\(folder)/nginx.err"], log: "nginx")
      try await answers(port: front)
    }
  }

  var nodeCount: Int { ports.count }

  // MARK: Nodes

  func start(_ node: Int) throws {
    // Any port: the metrics of these nodes are not read.
    var environment = ["GATEHOUSE_OPERATIONS_PORT": "0", "GATEHOUSE_SANDBOX_DEMO_BANK": "false"]
    if plan.skewSeconds != 0, node == ports.count - 1 {
      // Debian's libfaketime would do without a setting, but a Swift program under it finds no arguments.
      environment["GATEHOUSE_CLOCK_SKEW"] = "\(plan.skewSeconds)"
    }
    let process = try children.start(
      plan.program, ["serve", "--config", "\(folder)/settings.json", "--port", "\(ports[node])", "--log", "warning"],
      log: "node-\(node)", environment: environment)
    nodes.withLock { $0[node] = process }
  }

  func kill(_ node: Int) {
    guard let process = nodes.withLock({ nodes in nodes[node].take() }) else { return }
    children.kill(process)
  }

  /// Until every node answers again.
  func allAnswer() async throws {
    for port in ports { try await answers(port: port) }
  }

  /// A command of the program on this installation.
  func run(_ arguments: [String]) throws -> (status: Int32, output: Data) {
    try children.run(plan.program, arguments + ["--config", "\(folder)/settings.json"], log: "commands")
  }

  func stop() {
    for node in ports.indices {
      if let process = nodes.withLock({ $0[node].take() }) { children.terminate(process) }
    }
    children.killAll()
  }

  private func answers(port: Int) async throws {
    guard let url = URL(string: "http://127.0.0.1:\(port)/health") else { throw TransportError(.other) }
    let transport = HTTPTransport.live()
    for _ in 0..<Self.asksMax {
      if let answer = try? await transport.send(TransportRequest(method: "GET", url: url)), answer.isSuccess { return }
      try await ClientClock.live.pause(for: .milliseconds(100))
    }
    throw Children.NotStarted(description: "no server answers at port \(port); see the logs in \(folder)")
  }

  // MARK: Settings

  private func writeSettings() throws {
    var settings: [String: Any] = [
      "data": folder, "trustProxy": true, "proxyHeader": "x-forwarded-for",
      "registration": ["limitFactor": 1_000_000], "evidence": ["concurrency": 1],
      "powerauth": ["limitFactor": 1_000_000], "wultra": ["documents": 1, "sandbox": "\(folder)/institution.json"],
      "finaptic": [
        "publicUrl": address.absoluteString, "limitFactor": 1_000, "sandboxProfiles": ["\(folder)/profiles.json"],
      ],
      "sms": [
        "url": "http://127.0.0.1:\(outside.ports.sms)/", "contentType": "application/json",
        "body": #"{"to":"{to}","text":"{text}","id":"{id}"}"#,
      ],
      "smtp": [
        "host": "127.0.0.1", "port": outside.ports.mail, "security": "off",
        "sender": ["name": "Bank", "address": "bank@bank.example"],
      ],
    ]
    settings["database"] = plan.databaseURL.map { ["url": $0] } ?? ["sync": plan.durability.rawValue]
    if plan.usesS3 {
      settings["blobs"] = [
        "url": "s3://\(Self.bucket)?endpoint=http://127.0.0.1:\(outside.ports.s3)&region=us-east-1&addressing=path"
      ]
      settings["s3"] = ["accessKeyId": "chaos", "secretAccessKey": "chaos-chaos-chaos"]
    }
    try JSONSerialization.data(withJSONObject: settings).write(to: URL(fileURLWithPath: "\(folder)/settings.json"))
  }

  private func startS3() async throws {
    _ = try children.start(
      "/usr/bin/env", ["python3", "-m", "moto.server", "-H", "127.0.0.1", "-p", "\(s3Port)"], log: "s3")
    guard let url = URL(string: "http://127.0.0.1:\(s3Port)/\(Self.bucket)") else { throw TransportError(.other) }
    let transport = HTTPTransport.live()
    for _ in 0..<Self.asksMax {
      if let answer = try? await transport.send(TransportRequest(method: "PUT", url: url)), answer.isSuccess { return }
      try await ClientClock.live.pause(for: .milliseconds(100))
    }
    throw Children.NotStarted(description: "the S3 server does not answer")
  }

  /// What is not sent yet, or may be sent twice by its method (RFC 9110 §9.2.2), goes to the next node; a POST that a
  /// node took is not sent again by the balancer, whose default this is. Repeating it is the app's, under its key.
  private func writeBalancer(port: Int) throws {
    let servers = ports.map { "server 127.0.0.1:\($0) max_fails=1 fail_timeout=1s;" }.joined(separator: " ")
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder)/nginx-\($0);" }.joined(separator: "\n  ")
    try """
    daemon off;
    user \(NSUserName());
    worker_processes 1;
    pid \(folder)/nginx.pid;
    error_log \(folder)/nginx.err warn;
    events { worker_connections 4096; }
    http {
      access_log off;
      \(temporary)
      client_max_body_size 32m;
      # Phones say where they are: they are many, and this machine is one.
      map $http_x_forwarded_for $phone { "" $remote_addr; default $http_x_forwarded_for; }
      upstream nodes { \(servers) keepalive 64; }
      server {
        listen 127.0.0.1:\(port) backlog=1024;
        location / {
          proxy_pass http://nodes;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $host;
          proxy_set_header X-Forwarded-For $phone;
          proxy_next_upstream error timeout;
          proxy_connect_timeout 1s;
          proxy_read_timeout 60s;
        }
      }
    }
    """.write(toFile: "\(folder)/nginx.conf", atomically: true, encoding: .utf8)
  }
}
