import Activations
import ArgumentParser
import Foundation
import GatehouseApp
import Identity

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Who gives a command, as the audit log names them.
struct OperatorOptions: ParsableArguments {
  @Option(help: "Who acts: id or e-mail address of an active member of staff (default: this machine's user).")
  var agent: String?

  /// - Throws: `ValidationError` when the member of staff is not there or is suspended.
  func actor(in app: App) async throws -> String {
    guard let agent else { return Self.machineUser }
    for tenant in app.tenants.all {
      let members = try await app.staff.list(tenant: tenant.id)
      if let member = members.first(where: {
        $0.isActive && ($0.id.rawValue == agent.lowercased() || $0.email.lowercased() == agent.lowercased())
      }) {
        return "agent:\(member.id)"
      }
    }
    throw ValidationError("\(agent) is no active member of staff")
  }

  /// The user of the operating system, also behind `sudo`.
  static let machineUser: String = {
    let user = getuid()
    if user == 0, let name = ProcessInfo.processInfo.environment["SUDO_USER"], !name.isEmpty { return actor(name) }
    return actor(getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)")
  }()

  private static func actor(_ name: String) -> String {
    "operator:" + name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }.prefix(64)
  }
}

extension ActivationActor {
  /// This machine's user.
  static let machineUser = ActivationActor(OperatorOptions.machineUser)
}
