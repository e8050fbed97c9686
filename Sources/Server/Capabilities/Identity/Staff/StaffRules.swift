import Delivery
import Foundation
import Kit

/// What a staff member's particulars must be like.
enum StaffRules {
  /// Characters; NIST SP 800-63B-4 §3.1.1.2 asks for 15 where a password stands alone and 8 beside a second factor.
  static let passwordMin = 12
  static let passwordMax = 256

  static func check(_ new: NewStaffMember) throws {
    var fields: [Problem.Field] = []
    if new.tenant.isEmpty || new.tenant.count > 64 { fields.append(.init("/tenant", "invalid", "Name a tenant.")) }
    if EmailAddress(new.email) == nil { fields.append(.init("/email", "invalid", "Give an e-mail address.")) }
    if new.name.trimmingCharacters(in: .whitespaces).isEmpty || new.name.count > 120 {
      fields.append(.init("/name", "invalid", "Give a name of at most 120 characters."))
    }
    if new.languages.isEmpty || new.languages.count > 10 || !new.languages.allSatisfy(isLanguage) {
      fields.append(.init("/languages", "invalid", "Give one to ten language codes such as en or ar."))
    }
    fields += faults(of: new.permissions) + faults(of: new.password, email: new.email)
    guard fields.isEmpty else { throw Problem.validation(fields) }
  }

  static func check(permissions: Set<StaffPermission>) throws {
    let fields = faults(of: permissions)
    guard fields.isEmpty else { throw Problem.validation(fields) }
  }

  static func check(password: String, email: String) throws {
    let fields = faults(of: password, email: email)
    guard fields.isEmpty else { throw Problem.validation(fields) }
  }

  /// A longer one cannot be anybody's, and hashing it would only cost us.
  static func isComparable(_ password: String) -> Bool { password.utf8.count <= 4 * passwordMax }

  private static func faults(of permissions: Set<StaffPermission>) -> [Problem.Field] {
    permissions.count <= 100 && permissions.allSatisfy(\.isWellFormed)
      ? [] : [.init("/permissions", "invalid", "A permission is two words joined by a colon, such as attend:video.")]
  }

  private static func faults(of password: String, email: String) -> [Problem.Field] {
    if password.count < passwordMin {
      return [.init("/password", "too-short", "Use at least \(passwordMin) characters.")]
    }
    if password.count > passwordMax || !isComparable(password) {
      return [.init("/password", "too-long", "Use at most \(passwordMax) characters.")]
    }
    if Set(password).count < 4 || password.lowercased().contains(email.lowercased()) {
      return [.init("/password", "too-weak", "Use more different characters, and not your e-mail address.")]
    }
    return []
  }

  private static func isLanguage(_ code: String) -> Bool {
    (2...3).contains(code.count) && code.allSatisfy { $0.isASCII && $0.isLowercase }
  }
}
