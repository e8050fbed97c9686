import Console
import Delivery
import HTTP
import Hummingbird
import Kit
import Storage

/// The bank to try the Authenticator with, where there is one.
extension House {
  static func demoBank(
    _ settings: Settings, _ database: any SQLDatabase, _ vault: Vault, _ world: World, _ audit: Audit
  ) throws -> DemoBank? {
    try settings.demoBank.book.map { book in
      try DemoBank(
        book, database: database, vault: vault, world: world, audit: audit, limits: RateLimits(world: world),
        http: .curl(lanes: BlockingThreadPool("demo bank calls", width: 4), timeout: .seconds(10)),
        lanes: BlockingThreadPool("demo bank passwords", width: 1))
    }
  }

  func addDemoBank(to root: RouterGroup<PublicContext>) {
    if let demoBank { DemoBankRoutes(demoBank).add(to: root) }
  }

  var demoBankDialects: [(prefix: String, dialect: any Dialect)] {
    demoBank == nil ? [] : [(DemoBankDialect.base, DemoBankDialect())]
  }
}
