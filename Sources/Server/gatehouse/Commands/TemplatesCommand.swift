// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Delivery
import Foundation
import GatehouseApp
import Kit

/// The words that customers are written to with.
struct TemplatesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "templates", abstract: "Look at the words of messages, and check an institution's own.",
    subcommands: [List.self, Preview.self, Check.self])

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List every text with its version and the values that it may name.")

    @OptionGroup var options: TemplatesOptions

    func run() async throws {
      let rows = try await options.texts().list.map { key, text in
        Row(
          name: key.name, version: "\(text.version)", tenant: text.tenant?.spelling,
          values: key.kind.names.sorted())
      }
      try options.output.list("templates", rows) { row in
        let own = row.tenant.map { "  of \($0)" } ?? ""
        let names = row.values.joined(separator: " ")
        return "\(row.name)  v\(row.version)\(own)\(names.isEmpty ? "" : "  \(names)")"
      }
    }

    private struct Row: Encodable {
      let name, version: String
      let tenant: String?
      let values: [String]
    }
  }

  struct Preview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "preview", abstract: "Show a text with invented values.")

    @OptionGroup var options: TemplatesOptions
    @Argument(help: "Its name, as `templates list` shows it: confirm-contact.email.fr.")
    var name: String
    @Flag(help: "Show a mail's page instead of its text.")
    var html = false

    func run() async throws {
      let texts = try await options.texts()
      guard let key = texts.list.map(\.key).first(where: { $0.name == name }) else {
        throw CommandFailure.notFound("there is no text of that name: `gatehouse templates list` shows them")
      }
      let message = try texts.preview(key)
      guard !html || message.html != nil else { throw ValidationError("only mail has a page") }
      let text = (message.subject.map { ["Subject: \($0)\n"] } ?? []) + [message.body]
      try options.output.show(
        ["subject": message.subject, "body": message.body, "html": message.html],
        html ? [message.html].compactMap(\.self) : text)
    }
  }

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Check an institution's own words: 1 and the reason when one breaks a rule.")

    @OptionGroup var options: TemplatesOptions

    func run() async throws {
      let texts = try await options.texts()
      var count = 0
      for texts in [texts] + texts.tenants.map(texts.of) {
        for key in texts.list.map(\.key) { _ = try texts.preview(key) }
        count += texts.list.count
      }
      let tenants =
        texts.tenants.isEmpty ? "" : ", of everybody and \(texts.tenants.map(\.spelling).joined(separator: ", "))"
      try options.output.done("\(count.counted("text is", "texts are")) right\(tenants).", changed: false)
    }
  }
}

struct TemplatesOptions: ParsableArguments {
  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions
  @Option(help: "Folder of an institution's own words (default: messages.templates).")
  var folder: String?
  @Option(help: TenantID.help)
  var tenant: TenantID?

  func texts() async throws -> MessageTexts {
    var settings = try await installation.settings()
    if let folder {
      try CommandFailure.require(folder)
      settings.templatesFolder = folder
    }
    let texts: MessageTexts
    do { texts = try settings.messageTexts() } catch let fault as SettingsError {
      throw CommandFailure.refused("\(fault)")
    }
    guard let tenant else { return texts }
    guard texts.tenants.contains(tenant) else {
      throw CommandFailure.notFound("\(tenant.spelling) has no words of its own: it writes as everybody does")
    }
    return texts.of(tenant)
  }
}
