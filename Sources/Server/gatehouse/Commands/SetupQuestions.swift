import ArgumentParser
import Foundation
import GatehouseApp

/// Asks a person for what the setup has to know.
struct SetupQuestions {
  /// Shows a question and reads a line; nil at the end of the input.
  let answer: (String) -> String?

  /// - Throws: `ValidationError` where no person can answer.
  static func atTerminal() throws -> SetupPlan {
    guard isatty(STDIN_FILENO) == 1 else {
      throw ValidationError("there is no terminal to ask at: name a file by --answers")
    }
    let plan = try SetupQuestions { question in
      FileHandle.standardError.write(Data("\(question): ".utf8))
      return readLine()
    }.plan()
    try plan.check()
    return plan
  }

  func plan() throws -> SetupPlan {
    var plan = SetupPlan(
      institution: .init(
        name: try must("Name of the institution, as customers know it"),
        timeZone: try must("Its time zone, as in Europe/Vienna"),
        servedPrefixes: list(try must("Dialling prefixes that codes are sent to, as in 43,49"))),
      host: try must("Host by which apps reach the server, as in app.bank.example"))
    plan.consoleHost = try may("Host by which staff reach the console (empty: the same)")
    plan.proxy = try proxy()
    plan.database = try may("PostgreSQL, as postgres://user:password@host/name (empty: the embedded database)")
    if let url = try may("Bucket for pictures, as s3://name?region=eu-central-1 (empty: a folder of this machine)") {
      plan.bucket = .init(
        url: url, accessKeyId: try must("Access key id"), secretAccessKey: try must("Secret access key"))
    }
    var waive: [String] = []
    if let host = try may("SMTP server (empty: no mail is sent)") {
      let user = try may("Its user (empty: none)")
      plan.mail = .init(
        host: host, user: user, password: try user.map { _ in try must("Its password") },
        sender: .init(name: plan.institution.name, address: try must("Sender's address")))
    } else {
      waive.append("mail")
    }
    if let url = try may("SMS gateway, as https://sms.example/send?to={to}&text={text} (empty: no texts)") {
      plan.texts = .init(url: url, authorization: try may("Its header Authorization (empty: none)"))
    } else {
      waive.append("sms")
    }
    plan.lists = try may("Folder of list files for screening (empty: lists are kept in the store)")
    plan.models = try may("Folder of face models (empty: faces are not compared)")
    if plan.models == nil { waive.append("faces") }
    plan.administrator = .init(
      name: try must("Full name of the first administrator"), email: try must("Their e-mail address"),
      gender: try must("M or F"))
    plan.waive = waive.isEmpty ? nil : waive
    return plan
  }

  private func proxy() throws -> SetupPlan.Proxy {
    while let text = try may("Proxy in front: nginx, caddy or none (empty: nginx)") {
      if let proxy = SetupPlan.Proxy(rawValue: text.lowercased()) { return proxy }
    }
    return .nginx
  }

  private func must(_ question: String) throws -> String {
    while true {
      if let text = try may(question) { return text }
    }
  }

  private func may(_ question: String) throws -> String? {
    guard let line = answer(question) else { throw ValidationError("the answers ended before the questions") }
    let text = line.trimmingCharacters(in: .whitespaces)
    return text.isEmpty ? nil : text
  }

  private func list(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
