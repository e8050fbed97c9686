/// An account that the customer may see.
public struct Account: Hashable, Codable, Sendable {
  public var id: String
  public var balance: Balance
  public var name: String
  /// `core-banking` or `core-card`.
  public var sourceDomain: String
  /// Ids of customers.
  public var owners: [String]
  /// Ids of customers.
  public var authorizedUsers: [String]

  /// Creates the value from its members.
  public init(
    id: String, balance: Balance, name: String, sourceDomain: String, owners: [String], authorizedUsers: [String]
  ) {
    (self.id, self.balance, self.name) = (id, balance, name)
    (self.sourceDomain, self.owners, self.authorizedUsers) = (sourceDomain, owners, authorizedUsers)
  }
}
