// SPDX-License-Identifier: Apache-2.0

import Configuration
import Delivery
import Evidence
import Foundation
import HTTP
import Kit
import Logging
import Storage
import SystemPackage

/// What an operator decides: read from flags, then the environment (`GATEHOUSE_…`), then a JSON file, then defaults.
package struct Settings: Sendable {
  /// Folder of the embedded database, the blobs and the key ring.
  package var dataFolder = "data"
  /// `postgres://…`, as libpq takes it; nil is the embedded database. It may hold a password.
  package var databaseURL: String?
  /// How the embedded database's commits reach the disk.
  package var databaseSync = SQLite.Durability.full
  /// Connections to PostgreSQL of this process.
  var databaseConnections = 16
  /// The key ring, when it is not below the data folder. Nodes of one installation have the same.
  var keyringFile: String?
  /// The epoch key, when it is not below the data folder. It is in no backup of the data or of the key ring.
  var epochKeyFile: String?
  var kms = KMSSettings()
  /// Folder of the blobs, or a bucket as `S3Settings` reads it; without it a folder beside the database.
  package var blobsURL: String?
  var s3Credentials: S3Credentials?
  /// PEM file of the authorities that may vouch for the bucket's server; nil is those of the machine.
  var s3AuthorityFile: String?
  var host = "127.0.0.1"
  package var port = 8080
  /// Whether the port was named, rather than left at its default.
  var isPortNamed = false
  /// The server's own certificate; nil leaves TLS to a proxy.
  var tls: TLSSettings?
  /// The header into which a trusted proxy in front writes the client's address; nil trusts none.
  var proxyHeader: ForwardedHeader?
  /// JSON array of tenants; without it the installation is a sandbox.
  var tenantsFile: String?
  /// What an installation with customers goes without, by decision of its operator.
  var waived: Set<StartFault.Waiver> = []
  /// Whether a sandbox may listen to other machines.
  var isPublicSandbox = false
  /// Folder of sanctions and PEP lists.
  package var screeningFolder: String?
  /// A JSON object of thresholds and weights of the matcher that are not the standard ones.
  var screeningPolicyFile: String?
  /// Whether lists are kept in the store too, by `gatehouse lists update`.
  var screeningStored = false
  /// What goes on by itself: re-screening, self-test, old versions of lists.
  var screeningOperations = ScreeningOperations()
  /// Lists that must be there for a screening to count.
  package var screeningRequired: Set<String> = []
  /// Folder of ONNX models for face comparison and liveness; without it both are inconclusive.
  package var modelsFolder: String?
  /// What `requireStart` loaded of the folder; nil has the application load them.
  var loadedModels: LoadedModels?
  /// How pictures are read, and what they must be.
  package var evidence = EvidenceSettings()
  /// Folder of an operator's templates of documents; `evidence` has what is in it.
  package var documentTemplatesFolder: String?
  package var faceThresholds = FaceThresholds()
  /// Where pictures are decoded: the program's commands choose child processes, unless `evidence.inProcess` is set.
  package var evidenceExecution = EvidenceExecution.inProcess
  /// The operator's choice to decode pictures in the server itself.
  package var evidenceInProcess = false
  var smtp: SMTP?
  /// Folder of an institution's own words; without it those that ship.
  package var templatesFolder: String?
  var sms: SMSHTTPSettings?
  var smsBudget = SMSBudgetSettings()
  package var logLevel = "info"
  /// `text` or `json`; nil is text for a terminal and JSON for anything else.
  var logFormat: LogFormat?
  var operations = OperationsSettings()
  package var demoBank = DemoBankSettings()
  var push = PushSettings()
  package var webhooks = WebhookSettings()
  var console = ConsoleSettings()
  var calls = CallSettings()
  /// What this program links for a certificate of its own and for buckets.
  package var links = ProgramLinks()
  /// Who started this process and is told how it is; nil where there is no such manager.
  package var serviceManager: ServiceManager?
  /// Seconds that the clock is wrong by; for fault tests only.
  var clockSkew = 0
  /// The settings of modules, by their type.
  private(set) var ofModules: [ObjectIdentifier: any ModuleSettings] = [:]
  /// The settings that were named, in the order of their names.
  private(set) var decided: [DecidedSetting] = []
  /// Variables of the environment that are called like settings, and that no setting reads.
  private(set) var unreadVariables: [String] = []

  struct SMTP: Sendable {
    var host: String
    var port: Int?
    var security: String
    var user: String?
    var password: String?
    var senderName: String
    /// Empty where it is missing, which `settings()` refuses.
    var senderAddress: String
    /// Of the DKIM key.
    var dkimSelector: String?
    /// Nil is that of the sender's address.
    var dkimDomain: String?
    /// PEM file of the private key; nil leaves signing to the submission server.
    var dkimKeyFile: String?
  }

  /// Whether messages that have no gateway are kept on a page for developers. Those to customers never are.
  var keepsMessages: Bool { isSandbox && (smtp == nil || sms == nil) }

  /// No tenants file: the default tenant, specimens accepted, a fictitious screening list, messages kept on a page.
  package var isSandbox: Bool { tenantsFile == nil }

  package var databasePath: String { "\(dataFolder)/gatehouse.sqlite" }
  package var blobFolder: String { "\(dataFolder)/blobs" }
  package var keyringPath: String { keyringFile ?? "\(dataFolder)/keys/keyring.json" }
  package var epochKeyPath: String { epochKeyFile ?? "\(dataFolder)/keys/epoch-key.json" }

  /// - Parameters:
  ///   - flags: what was given on the command line, by configuration key.
  ///   - file: the JSON file, when one was named. Of variables that the environment does not set, those of the `.env`
  ///     file beside it are taken.
  ///   - modules: whose settings are read.
  ///   - links: what the program links besides.
  /// - Throws: `SettingsError` for a value of another kind, and for names in the file that no setting reads.
  package static func load(
    flags: [String: ConfigValue] = [:], file: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment, modules: [ModuleEntry] = App.product,
    links: ProgramLinks = ProgramLinks()
  ) async throws -> Settings {
    let variables = try SettingsVariables.merged(beside: file, into: environment)
    var providers: [any ConfigProvider] = [
      InMemoryProvider(
        name: "flags",
        values: Dictionary(
          uniqueKeysWithValues: flags.map {
            (AbsoluteConfigKey($0.key.split(separator: ".").map(String.init)), $0.value)
          })),
      EnvironmentVariablesProvider(environmentVariables: variables).prefixKeys(with: "gatehouse"),
    ]
    if let file { providers.append(try await Self.provider(of: file)) }
    let reporter = SettingsAccessReporter()
    var settings = try Settings(ConfigReader(providers: providers, accessReporter: reporter), modules)
    try reporter.check(file: file)
    settings.links = links
    settings.decided = reporter.decided
    settings.unreadVariables = reporter.unread(in: variables)
    settings.serviceManager = ServiceManager(environment: environment)
    return settings
  }

  /// What a file cannot be read for is told without what is in it, which may be secrets.
  private static func provider(of file: String) async throws -> any ConfigProvider {
    var isFolder: ObjCBool = false
    guard !FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) || !isFolder.boolValue else {
      throw SettingsError("\(file) is a folder, and the settings are one JSON file")
    }
    do { return try await FileProvider<JSONSnapshot>(filePath: FilePath(file)) } catch {
      guard let data = FileManager.default.contents(atPath: file) else {
        throw SettingsError("\(file) cannot be read by this user")
      }
      guard (try? JSONSerialization.jsonObject(with: data)) is [String: Any] else {
        throw SettingsError("\(file) is not one JSON object: look for a comma, a quote or a bracket")
      }
      throw error
    }
  }

  package init() {}

  /// The settings of a module.
  package subscript<Own: ModuleSettings>(_ type: Own.Type) -> Own {
    get { ofModules[ObjectIdentifier(type)] as? Own ?? Own() }
    set { ofModules[ObjectIdentifier(type)] = newValue }
  }

  // What docs/reference/settings.md tells of them.
  // database.sync (default: full): how commits of the embedded database reach the disk before they are acknowledged:
  //   full is SQLite's own synchronous = FULL, shared lets commits share syncs outside of their transactions
  // blobs.url (default: blobs in the data folder): another folder for pictures, or a bucket (see objects in a bucket,
  //   in the chapter on configuring)
  // screening.policy: JSON file of thresholds and weights of the matcher that are not the standard ones
  // screening.required: codes of the lists that must be there for a screening to count, comma-separated
  // host: address to listen on
  // port (default: `8080`): port to listen on; 0 takes any
  // log: trace, debug, info, warning or error; lines go to standard error
  // smtp.host: the server that mail is handed to; a sandbox without it keeps mail on a page, and with customers a start
  //   without it is refused unless waive names that
  // smtp.port (default: 465 for implicit, else 587): its port
  // smtp.security: implicit, starttls (or nothing is sent), opportunistic or off
  // smtp.user: who signs in there; set together with smtp.password
  // smtp.password: the password of that
  // smtp.sender.name: the name that mail is from
  // smtp.sender.address: the address that mail is from; needed with smtp.host, or a start is refused
  // smtp.dkim.selector: selector of the DKIM key (RFC 6376); set together with smtp.dkim.keyFile
  // smtp.dkim.domain (default: that of the sender's address): domain that signs
  // smtp.dkim.keyFile: PEM file of the private key; without it the submission server signs
  // sms.url: address of the gateway for text messages, which may hold placeholders
  // sms.authorization: the header Authorization for it
  // sms.contentType: the header Content-Type for it
  // sms.method: the method of the request
  // sms.body: the body of the request, with placeholders
  // sms.sender: the name or number that texts are from

  init(_ config: ConfigReader, _ modules: [ModuleEntry]) throws {
    dataFolder = config.string(forKey: "data", default: dataFolder)
    guard !dataFolder.isEmpty else { throw SettingsError("data is the path of a folder") }
    keyringFile = config.string(forKey: "keyring")
    epochKeyFile = config.string(forKey: "epochKey")
    kms = try KMSSettings(config)
    databaseURL = config.string(forKey: "database.url", isSecret: true)
    // libpq would take what it finds on this machine for an empty one.
    guard databaseURL.map({ !$0.isEmpty && PostgresSettings.understands($0) }) ?? true else {
      throw SettingsError("database.url is no URL of PostgreSQL such as postgres://user@host/database")
    }
    guard let sync = SQLite.Durability(rawValue: config.string(forKey: "database.sync", default: databaseSync.rawValue))
    else { throw SettingsError("database.sync is shared or full") }
    databaseSync = sync
    databaseConnections = try config.int(
      forKey: "database.connections", default: databaseConnections, in: 1 ... .max)
    blobsURL = config.string(forKey: "blobs.url")
    s3Credentials = try Self.s3Credentials(config)
    s3AuthorityFile = config.string(forKey: "s3.ca")
    host = config.string(forKey: "host", default: host)
    if let named = try config.int(forKey: "port", in: 0...65_535) { (port, isPortNamed) = (named, true) }
    tls = try TLSSettings.read(config)
    proxyHeader = try Self.proxyHeader(config)
    tenantsFile = config.string(forKey: "tenants")
    waived = Set(
      try config.stringArray(forKey: "waive", default: []).map { name in
        guard let waiver = StartFault.Waiver(rawValue: name.trimmingCharacters(in: .whitespaces)) else {
          let names = StartFault.Waiver.allCases.map(\.rawValue).joined(separator: ", ")
          throw SettingsError("waive names something else than \(names)")
        }
        return waiver
      })
    isPublicSandbox = config.bool(forKey: "sandbox.public", default: isPublicSandbox)
    screeningFolder = config.string(forKey: "screening.folder")
    screeningPolicyFile = config.string(forKey: "screening.policy")
    screeningStored = config.bool(forKey: "screening.stored", default: screeningStored)
    screeningRequired = Set(
      config.string(forKey: "screening.required", default: "").split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      })
    screeningOperations = try ScreeningOperations(config)
    modelsFolder = config.string(forKey: "models")
    evidence = try EvidenceSettings(config)
    documentTemplatesFolder = config.string(forKey: "evidence.templates")
    faceThresholds = try FaceThresholds(config)
    evidenceInProcess = config.bool(forKey: "evidence.inProcess", default: evidenceInProcess)
    logLevel = config.string(forKey: "log", default: logLevel)
    guard Logger.Level(rawValue: logLevel) != nil else {
      throw SettingsError("log is trace, debug, info, warning or error")
    }
    logFormat = try config.string(forKey: "logFormat").map { text in
      guard let format = LogFormat(rawValue: text) else { throw SettingsError("logFormat is text or json") }
      return format
    }
    operations = try OperationsSettings(config)
    // All connections are the proxy's.
    if proxyHeader != nil { operations.connections.ofNetworkMax = nil }
    demoBank = try DemoBankSettings(config, isSandbox: isSandbox)
    push = try PushSettings(config)
    webhooks = try WebhookSettings(config)
    console = try ConsoleSettings(config)
    calls = try CallSettings(config)
    for module in modules {
      if let type = module.type.settings { ofModules[ObjectIdentifier(type)] = try type.init(config) }
    }
    clockSkew = config.int(forKey: "clock.skew", default: clockSkew)
    templatesFolder = config.string(forKey: "messages.templates")
    if let host = config.string(forKey: "smtp.host") {
      smtp = SMTP(
        host: host, port: try config.int(forKey: "smtp.port", in: 1...65_535),
        security: config.string(forKey: "smtp.security", default: "starttls"),
        user: config.string(forKey: "smtp.user"), password: config.string(forKey: "smtp.password", isSecret: true),
        senderName: config.string(forKey: "smtp.sender.name", default: "Gatehouse"),
        senderAddress: config.string(forKey: "smtp.sender.address", default: ""),
        dkimSelector: config.string(forKey: "smtp.dkim.selector"),
        dkimDomain: config.string(forKey: "smtp.dkim.domain"), dkimKeyFile: config.string(forKey: "smtp.dkim.keyFile"))
      try smtp?.checkTogether()
    }
    try checkPorts()
    smsBudget = try SMSBudgetSettings(config)
    if let url = config.string(forKey: "sms.url", isSecret: true) {
      var headers: [String: String] = [:]
      if let value = config.string(forKey: "sms.authorization", isSecret: true) { headers["Authorization"] = value }
      if let value = config.string(forKey: "sms.contentType") { headers["Content-Type"] = value }
      do {
        sms = try SMSHTTPSettings(
          method: config.string(forKey: "sms.method", default: "POST"), url: url, headers: headers,
          body: config.string(forKey: "sms.body", default: ""),
          sender: config.string(forKey: "sms.sender", default: "Gatehouse"))
      } catch let fault as SMSHTTPSettingsError { throw SettingsError(fault.description) }
    }
  }
}
