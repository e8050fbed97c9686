// SPDX-License-Identifier: Apache-2.0

/// The bans of the project. Patterns are written so that this file does not break its own rules.
enum CodeRules {
  private static let isSource: @Sendable (Repository.File) -> Bool = {
    ($0.isBelow("Sources") || $0.isBelow("Lab")) && isSwift($0)
  }
  private static let isServer: @Sendable (Repository.File) -> Bool = {
    ($0.isBelow("Sources/Server") || $0.isBelow("Lab")) && isSwift($0)
  }
  private static func isSwift(_ file: Repository.File) -> Bool { file.path.hasSuffix(".swift") }

  static let all: [Ban] = [
    Ban(
      "SELECT of every column", ["SELECT"], { /SELECT\s+\*/ },
      cure: "name the columns: old and new code read the same table during a deployment", in: .code, scope: isSwift),
    Ban(
      "an engine outside Storage", ["GRDB", "CPostgres"], { /^\s*(@\w+ )?import (GRDB|CPostgres)\b/ },
      cure: "go through SQLDatabase and SQL", scope: { isSwift($0) && !$0.isBelow("Sources/Server/Storage") },
      exceptions: ["Tests/TestSupport/TestDatabase.swift": "makes databases, which no transaction can"]),
    Ban(
      "AsyncHTTPClient outside ObjectStorage", ["AsyncHTTPClient"], { /^\s*(@\w+ )?import AsyncHTTPClient\b/ },
      cure: "let a capability call through its port, as messages do",
      scope: { isSource($0) && !$0.isBelow("Sources/Server/ObjectStorage") }),
    Ban(
      "SQL outside a store", ["INSERT", "DELETE", "UPDATE"],
      { /INSERT INTO |DELETE FROM |UPDATE [a-z_]+ SET|UPDATE [a-z_]+$/ },
      cure: "move the statement into the module's store", in: .code,
      scope: { isSource($0) && !$0.isBelow("Sources/Server/Storage") && !declaresStore($0) },
      exceptions: [
        "Sources/Server/Capabilities/Identity/Staff/StaffStore+Schema.swift": "a step of the schema takes rows away"
      ]),
    Ban(
      "HTTP in a module's logic", ["Hummingbird", "NIO"], { /^\s*(@\w+ )?import (Hummingbird|NIO\w*)\b/ },
      cure: "let *Routes, *Contexts, *Responses, *Dialect or *Module parse and answer; commands take values",
      scope: { isServer($0) && !mayKnowHTTP($0) },
      exceptions: ["Sources/Server/RubixFlow/Calls/QueryValues.swift": "reads query parameters for several *Routes"]),
    Ban(
      "clock or randomness of the machine",
      ["Date", "UUID", "SystemRandom", "ContinuousClock", "randomElement", "shuffled", "random("],
      {
        #/
        (^|[^A-Za-z])(Date\(\)|Date\.now\b|UUID\(\)|SystemRandomNumberGenerator)
        |ContinuousClock\(\)|randomElement\(\)|shuffled\(\)|\.random\(in:\ [^,]*\)
        /#
      },
      cure: "take World (server), ClientClock or ClientRandomness (SDK)", scope: isSource,
      exceptions: [
        "Sources/Server/Kit/World.swift": "the server's seam",
        "Sources/Server/Storage/Postgres/Postgres.swift": "spreads the pauses before a transaction runs again",
        "Sources/SDK/GatehouseTransport/ClientClock.swift": "the SDK's seam",
        "Sources/SDK/GatehouseTransport/ClientRandomness.swift": "the SDK's seam",
        "Sources/Server/Capabilities/Evidence/Reading/StageClock.swift": "measures how long reading takes",
        "Lab/Demonstration/Demo.swift": "plays outside of the server, and measures",
        "Lab/Demonstration/DemoStory.swift": "plays outside of the server, and measures",
      ]),
    Ban(
      "unescaped values in pages", ["{"], { /\{{3}/ }, cure: "write two braces: the template escapes", in: .text,
      scope: { $0.path.hasSuffix(".mustache") }),
    Ban(
      "unchecked sendability", ["@unchecked"], { /@unchecked\s+Sendable/ },
      cure: "make it a struct, an actor or a Mutex", scope: isSwift,
      exceptions: [
        "Sources/SDK/WultraPowerAuthNetworking/Calls/CallOperation.swift":
          "Foundation declares Operation so, and Swift wants subclasses to say it again; its state is a Mutex"
      ]),
    Ban(
      "names that were given up",
      [
        "ark", "Shelf", "Desk", "eeper", "CaseBook", "News", "Standing", "Arrival", "Witness", "Judge", "Intake",
        "Telling", "LedgerDuty", "news", "standing",
      ],
      {
        #/
        \b(un)?park(ed\w*)?\b|Parked|\bkeeper\b|[a-z](Shelf|Keeper|News|Standing|Arrival|Witness|Judge|Intake|Telling)\b
        |(Statement|Suspense|Screening)Desk|CaseBook|\bLedgerDuty|\b(let|var|func)\ (news|standing)\b
        /#
      },
      cure: "write dead letter, repository, service, source, task, event, state, notifier (docs/glossary.md)",
      scope: isServer,
      exceptions: [
        "Sources/Server/OneAssistFlow/Rights/MembershipExport.swift": "the export's JSON keeps its names",
        "Sources/Server/gatehouse/Commands/FinapticCommand+Bank.swift": "`bank parked` and its JSON keep their names",
        "Sources/Server/gatehouse/Commands/FinapticCommand+TermsChanges.swift": "JSON keeps its names",
        "Sources/Server/gatehouse/Commands/PaymentsCommand+Settlement.swift": "JSON keeps its names",
      ]),
    Ban(
      "work left undone", ["TODO", "FIXME"], { /\b(TODO|FIXME)\b/ }, cure: "finish it, or open an issue", in: .text,
      scope: { ($0.isBelow("Sources") || $0.isBelow("docs")) && !$0.path.hasSuffix(".yaml") }),
    Ban(
      "measurements of earlier states on pages", ["same day", "that day", "of before", "instead of"],
      {
        #/
        \b(On\ the\ same|[Ll]ater\ that)\ day\b|\bprograms?\ of\ before\b
        |\binstead\ of\ [0-9][0-9,.]*\ (a\ second|searches|ms|s|seconds|MiB|%)
        /#
      },
      cure: "tell the figure of today once; the one before belongs to the decision that changed it", in: .text,
      scope: { $0.isBelow("docs") && !$0.isBelow("docs/decisions") && $0.path.hasSuffix(".md") }),
    Ban(
      "crash on input", ["try!", "fatalError", "as!"], { /\btry!|\bfatalError\(|\bas!\s/ },
      cure: "throw a Problem; for a bug, precondition with a sentence", scope: isSource),
    Ban(
      "stray tasks", ["detached"], { /\bTask\.detached\b/ }, cure: "a Service in the ServiceGroup, or a task group",
      scope: isSource),
    Ban(
      "public in the server", ["public"], { /^\s*(@\w+\s+)*public\s/ },
      cure: "package at most; public is for SDK and Shared",
      scope: isServer),
    Ban(
      "files of one person's machine", ["/work/", "/Users/", "/home/", "/root/"],
      { /(^|[^\w.\/-])\/(work|Users|home\/[a-z]|root)\// },
      cure: "take the folder from an option or the environment, or stay below the package", in: .text,
      scope: { !$0.path.hasPrefix("Tests/TidyTests/") }),
    Ban(
      "a reader of bodies that takes what others do not", ["JSONDecoder"], { /\bJSONDecoder\(\)/ },
      cure: "StrictJSON, or WireJSON.decode, which looks at the bytes first (decision 169)",
      scope: { file in
        isSwift(file)
          && [
            "Server/HTTP", "Server/OneAssistFlow", "Server/PowerAuthHTTP", "Server/SaltEdgeFlow",
            "Server/Capabilities/Identity", "Shared/PowerAuthCore", "Shared/SaltEdgeCore",
          ].contains { file.isBelow("Sources/\($0)") }
      }),
    Ban(
      "values in log messages", ["logger.", "Logger."],
      { /\blogger\.(trace|debug|info|notice|warning|error|critical)\(\s*"[^"]*\\\(/ },
      cure: "a constant message; what varies is metadata, whose key LogVocabulary knows", in: .code, scope: isServer),
    Ban(
      "waiting in tests", ["sleep"], { /Thread\.sleep|Task\.sleep|\busleep\(|\bsleep\(\d/ },
      cure: "move the clock of TestWorld, or wait for the event itself",
      scope: { $0.isBelow("Tests") && isSwift($0) }),
    Ban(
      "loops in tests that look again and again without an end", ["yield"],
      { /\bwhile\b.*\{ ?(await Task\.|sched_)yield\(\) ?\}/ },
      cure: "waitUntil, which ends with the test's limit or after five minutes, and tells what never came",
      scope: { $0.isBelow("Tests") && isSwift($0) },
      exceptions: [
        "Tests/FinapticSamples/Transcript.swift": "ends after two minutes, in what stands for an app's own program",
        "Tests/JourneyTests/Operations/EndedBackupTests.swift": "ends with the program, which has a time",
        "Tests/PowerAuthPeer/Together.swift": "threads that start together, each of which is on its way",
      ]),
    Ban(
      "a server that is cancelled with its test", ["test("], { /\.test\(\.(live|ahc)\b/ },
      cure: "serve, of TestSupport: NIO ends all tests when such a server is cancelled (decision 280)",
      scope: { $0.isBelow("Tests") && isSwift($0) }),
    Ban(
      "Foundation's Process in tests", ["Process"], { /\bProcess(\(\)|\.run\()/ },
      cure: "ChildProcess: a program of Foundation's has what other threads open, too (decision 267)", in: .bare,
      scope: { $0.isBelow("Tests") && isSwift($0) }),
    Ban(
      "servers of other companies, in tests", ["api.one", "uat1.1"], { /api\.oneassist\.in|uat1\.1atesting\.in/ },
      cure: "give the call a server of the tests; they call no other (oneassist §11)", in: .code,
      scope: { $0.isBelow("Tests") && isSwift($0) }),
    Ban(
      "the device's own network in tests", ["OAActivation"], { /\bOAActivation\(\s*\)/ },
      cure: "give it ports, whose transport is scripted", scope: { $0.isBelow("Tests") && isSwift($0) },
      exceptions: [
        "Tests/OneAssistSDKTests/SeedExample.swift": "the document's words; its test puts another one there first"
      ]),
    Ban(
      "movement on screens", ["nimat", "ransition", "matchedGeometry", "symbolEffect"],
      {
        #/
        \bwithAnimation\b|\bUIView\.(animate|transition)\b
        |\.(animation|transition|matchedGeometryEffect|phaseAnimator|keyframeAnimator|symbolEffect)\(
        |\.(content|scroll|navigation)Transition\(
        /#
      },
      cure: "show the new state at once, or ask `accessibilityReduceMotion` and add an exception",
      scope: { ($0.isBelow("Sources/SDK") || $0.isBelow("Examples")) && isSwift($0) }),
    Ban(
      "starting of programs", ["posix_spawn", "popen(", "system(", "exec", "fork(", "Process"],
      { /\b(posix_spawnp?|popen|system|exec[lv][ep]{0,2}|v?fork)\(|\bProcess(\(\)|\.run\()/ },
      cure: "do it in this process, or hand it to the readers of pictures", in: .text,
      scope: { file in
        file.isBelow("Sources") && [".swift", ".c", ".cpp", ".h"].contains { file.path.hasSuffix($0) }
      },
      exceptions: [
        "Sources/Server/CVision/Confine.cpp": "starts the readers of pictures: this program's own file, without a shell"
      ]),
    Ban(
      "scripts of pages that run, insert, keep or pass on texts",
      ["eval", "Function", "HTML", "write", "cookie", "Message", "WebSocket", "Storage", "indexedDB"],
      {
        #/
        \beval\(|new\ Function|\.(inner|outer)HTML\s*\+?=(?!=)|insertAdjacentHTML|document\.(write|cookie)
        |postMessage|\bWebSocket\b|(local|session)Storage|indexedDB
        /#
      },
      cure: "textContent, nodes that DOMParser made, fetch to this server", in: .text,
      scope: { $0.isBelow("Sources/Server") && $0.path.hasSuffix(".js") },
      exceptions: [
        "Sources/Server/Console/Design/idle.js": "keeps the time of the last use, which other tabs of the session read"
      ]),
    Ban(
      "fields for passwords that show them or keep password managers away", ["<input"],
      {
        #/
        <input(?![^>]*type="password")[^>]*(name="(password|new|repeated)"|autocomplete="(current|new)-password")
        |<input(?![^>]*autocomplete="(current|new)-password")[^>]*type="password"
        |onpaste
        /#
      },
      cure: "type=\"password\" and autocomplete=\"current-password\" or \"new-password\"", in: .text,
      scope: { $0.path.hasSuffix(".mustache") }),
    Ban(
      "answers that other sites may read", ["ontrol", "CORS"], { /[Aa]ccess-?[Cc]ontrol-?[A-Z]|\bCORS/ },
      cure: "let pages call their own server; a proxy can say otherwise", in: .code, scope: isServer),
    Ban(
      "task-local values that are functions", ["@TaskLocal"], { /@TaskLocal\b.*->/ },
      cure: "a type round the function, as BodyCheck: optimised code of other modules has none for it (decision 305)",
      scope: isSource),
  ]

  /// Shared with what serves: modules whose files speak HTTP by name.
  private static func mayKnowHTTP(_ file: Repository.File) -> Bool {
    [
      "HTTP", "Console", "ObjectStorage", "ServerTLS", "PowerAuthHTTP", "ScreeningHTTP", "CaseworkHTTP", "GatehouseApp",
      "gatehouse",
    ].contains { file.isBelow("Sources/Server/\($0)") }
      || file.isBelow("Lab/GatehouseLab") || file.isBelow("Lab/Demonstration")
      || ["Routes", "Contexts", "Responses", "Dialect", "Module"].contains { file.name.hasSuffix("\($0).swift") }
  }

  private static func declaresStore(_ file: Repository.File) -> Bool {
    SwiftText(file.text).bare.contains { $0.firstMatch(of: /\b(struct|enum|extension) \w*Store\b/) != nil }
  }
}
