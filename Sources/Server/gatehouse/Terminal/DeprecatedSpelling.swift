// SPDX-License-Identifier: Apache-2.0

/// Commands as the version before spelled them. They work in this version, with a hint, and go with the next one.
struct DeprecatedSpelling: Equatable {
  let old, new: [String]

  private init(_ old: String, _ new: String) {
    (self.old, self.new) = (
      old.split(separator: " ").map(String.init), new.split(separator: " ").map(String.init)
    )
  }

  static let all = [
    DeprecatedSpelling("read-document", "document read"),
    DeprecatedSpelling("parse-mrz", "mrz parse"),
    DeprecatedSpelling("export", "customer export"),
    DeprecatedSpelling("erase", "customer erase"),
    DeprecatedSpelling("saltedge add", "saltedge provider add"),
    DeprecatedSpelling("saltedge change", "saltedge provider change"),
    DeprecatedSpelling("saltedge list", "saltedge provider list"),
    DeprecatedSpelling("saltedge export-user", "saltedge user export"),
    DeprecatedSpelling("saltedge erase-user", "saltedge user erase"),
    DeprecatedSpelling("saltedge demo-bank", "saltedge demo-bank add"),
    DeprecatedSpelling("oneassist add-partner", "oneassist partner add"),
    DeprecatedSpelling("oneassist partners", "oneassist partner list"),
    DeprecatedSpelling("oneassist add-plan", "oneassist plan add"),
    DeprecatedSpelling("oneassist reviews", "oneassist membership list"),
    DeprecatedSpelling("oneassist pictures", "oneassist membership pictures"),
    DeprecatedSpelling("oneassist photo", "oneassist membership photo"),
    DeprecatedSpelling("oneassist code", "oneassist membership code"),
    DeprecatedSpelling("oneassist verdict", "oneassist membership decide"),
    DeprecatedSpelling("oneassist export", "oneassist membership export"),
    DeprecatedSpelling("oneassist erase", "oneassist membership erase"),
    DeprecatedSpelling("wultra reviews", "wultra review list"),
    DeprecatedSpelling("wultra pictures", "wultra review pictures"),
    DeprecatedSpelling("wultra decide", "wultra review decide"),
    DeprecatedSpelling("wultra export", "wultra user export"),
    DeprecatedSpelling("wultra erase", "wultra user erase"),
    DeprecatedSpelling("finaptic bundles", "finaptic bundle"),
    DeprecatedSpelling("finaptic bank clients", "finaptic bank client list"),
    DeprecatedSpelling("finaptic stop freeze", "finaptic account freeze"),
    DeprecatedSpelling("finaptic stop unfreeze", "finaptic account unfreeze"),
    DeprecatedSpelling("finaptic stop close", "finaptic account close"),
    DeprecatedSpelling("finaptic stop remove-user", "finaptic account remove-user"),
    DeprecatedSpelling("finaptic stop block-card", "finaptic card block"),
    DeprecatedSpelling("finaptic stop unblock-card", "finaptic card unblock"),
    DeprecatedSpelling("finaptic card-step-up", "finaptic card step-up"),
    DeprecatedSpelling("finaptic addresses", "finaptic address"),
    DeprecatedSpelling("finaptic sandbox-client", "finaptic sandbox-client add"),
    DeprecatedSpelling("powerauth recovery-code", "powerauth recovery-code issue"),
  ]

  /// - Parameter arguments: of the program, without its name.
  /// - Returns: the arguments in the spelling of today, and how they were spelled, when that was another one.
  static func renewed(_ arguments: [String]) -> (arguments: [String], spelling: DeprecatedSpelling?) {
    let skipped = arguments.first == "help" ? 1 : 0
    let words = arguments.dropFirst(skipped)
    guard let found = all.first(where: { words.starts(with: $0.old) && !words.starts(with: $0.new) }) else {
      return (arguments, nil)
    }
    return (Array(arguments.prefix(skipped)) + found.new + words.dropFirst(found.old.count), found)
  }

  /// For standard error.
  var hint: String {
    """
    Hint: `gatehouse \(old.joined(separator: " "))` is `gatehouse \(new.joined(separator: " "))` now; the next version \
    does not know the old one.
    """
  }
}
