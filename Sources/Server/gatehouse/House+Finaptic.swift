import Capabilities
import Console
import Evidence
import FinapticFlow
import HTTP
import Hummingbird
import Kit
import Storage

extension FinapticRoom {
  /// Finaptic, put together.
  init(
    _ settings: Settings, database: any SQLDatabase, world: World, vault: Vault, blobs: Blobs, sessions: Sessions,
    evidence: EvidenceReader, faces: FaceComparison, liveness: Liveness, screening: ScreeningProvider,
    messenger: Messenger, devOutbox: DevOutbox, lanes: BlockingLanes,
    passwordCost: PasswordCost, moves: FlowMoves
  ) throws {
    self.init(
      parts: FinapticParts(
        database: database, world: world, vault: vault, blobs: blobs, evidence: evidence, sessions: sessions,
        messenger: messenger, devOutbox: devOutbox, lanes: lanes, passwordCost: passwordCost,
        policy: settings.finaptic.policy(port: settings.port, isSandbox: settings.isSandbox),
        library: try settings.finapticLibrary(),
        onboarding: try settings.finaptic.onboarding(
          evidence: evidence, faces: faces, liveness: liveness, screening: screening, world: world),
        moves: moves))
  }
}

/// Customers of a bank, by the SDK of the app that they already have.
extension House {
  var finapticDialects: [(String, any Dialect)] { [(FinapticDialect.base, FinapticDialect())] }

  func addFinaptic(to root: RouterGroup<PublicContext>) {
    let doors = FinapticDoors(finaptic, root: root)
    ConfigurationRoutes(finaptic).add(to: doors)
    ReferenceDataRoutes(finaptic).add(to: doors)
    AddressRoutes(finaptic, admit: OnboardingRoutes.admission(finaptic)).add(to: doors)
    OnboardingRoutes(finaptic).add(to: doors)
    FileUploadRoutes(finaptic).add(to: root)
  }
}
