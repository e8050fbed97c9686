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
      abstract: "List every text with its version and the values that it may name.")

    @OptionGroup var options: TemplatesOptions

    func run() async throws {
      for (key, text) in try await options.texts().list {
        let names = key.kind.names.sorted().joined(separator: " ")
        let own = text.tenant.map { "  of \($0)" } ?? ""
        print("\(key.name)  v\(text.version)\(own)\(names.isEmpty ? "" : "  \(names)")")
      }
    }
  }

  struct Preview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show a text with invented values.")

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
      if html {
        guard let page = message.html else { throw ValidationError("only mail has a page") }
        print(page)
      } else {
        if let subject = message.subject { print("Subject: \(subject)\n") }
        print(message.body)
      }
    }
  }

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check an institution's own words: 1 and the reason when one breaks a rule.")

    @OptionGroup var options: TemplatesOptions

    func run() async throws {
      let texts = try await options.texts()
      var count = 0
      for texts in [texts] + texts.tenants.map(texts.of) {
        for key in texts.list.map(\.key) { _ = try texts.preview(key) }
        count += texts.list.count
      }
      let tenants =
        texts.tenants.isEmpty ? "" : ", of everybody and \(texts.tenants.map(\.description).joined(separator: ", "))"
      print("\(count) texts are right\(tenants).")
    }
  }
}

struct TemplatesOptions: ParsableArguments {
  @OptionGroup var installation: InstallationOptions
  @Option(help: "Folder of an institution's own words (default: messages.templates).")
  var folder: String?
  @Option(help: "As this tenant writes: a system and the tenant's name there, as in finaptic/1.")
  var tenant: TenantID?

  func texts() async throws -> MessageTexts {
    var settings = try await installation.settings()
    if let folder { settings.templatesFolder = folder }
    let texts: MessageTexts
    do { texts = try settings.messageTexts() } catch let fault as SettingsError {
      throw CommandFailure.refused("\(fault)")
    }
    guard let tenant else { return texts }
    guard texts.tenants.contains(tenant) else {
      throw CommandFailure.notFound("\(tenant) has no words of its own: it writes as everybody does")
    }
    return texts.of(tenant)
  }
}
