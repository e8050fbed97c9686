// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import OneAssistCore
internal import OneAssistWire

/// What one `initializeSDK` set up, and the activation that was started since. Its calls are made one after the other.
actor Activation {
  nonisolated let configuration: OAConfiguration
  nonisolated let client: ActivationAPIClient
  nonisolated let ports: ActivationPorts
  /// Nil until an activation was started.
  var order: KnownOrder?
  /// This device's numbers, kept for that activation.
  var imei: KeptIMEI?
  private var backgroundTasks: [Int: Task<Void, Never>] = [:]
  private var backgroundTasksStarted = 0

  /// - Throws: 1001 for a blank token; 4006 for one that cannot be sent, and for an invalid address; `SERVER_NOT_NAMED`.
  init(
    token: String, isDebug: Bool, endPoint: String?, configuration: OAConfiguration, ports: ActivationPorts
  ) throws(OAError) {
    guard let token = token.strippedOrNil else { throw .ERROR_EMPTY_TOKEN }
    // With a line end in it, it would make up headers of its own.
    guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .ERROR_UNABLE_TO_PROCESS_DESC }
    let log = isDebug ? ports.log : .silent
    client = ActivationAPIClient(
      base: try configuration.base(isDebug: isDebug, given: endPoint), token: token,
      transport: ports.transport(isDebug), randomness: ports.randomness, userAgent: ports.device.userAgent, log: log)
    (self.configuration, self.ports) = (configuration, ports)
  }

  /// Looks the order up, and says where it stands (specification §4.1). Of another order nothing is kept.
  func start(_ code: String) async throws(OAError) -> OAAction {
    guard let code = code.strippedOrNil else { throw .ERROR_EMPTY_ACTIVATION_CODE }
    if order?.code != code { (order, imei) = (nil, nil) }
    let client = client
    async let info = Self.outcome { () async throws(CallFailure) in try await client.orderInfo(code) }
    async let documents = Self.outcome { () async throws(CallFailure) in try await client.documents(code) }
    let answers = await (info: info, documents: documents)
    // The order's error is the one that is told when both fail.
    let known = try KnownOrder(
      code: code, info: Self.value(of: answers.info), documents: Self.value(of: answers.documents))
    let kept = try await IMEIRecords(ports, allowsTest: configuration.acceptsTestIMEIs).read(of: known.activationCode)
    let stage = try known.stage(hasIMEI: kept != nil)
    (order, imei) = (known, kept)
    return stage
  }

  /// Sends PIN code, address and the device's numbers.
  func submit(_ given: UserDetails) async throws(OAError) -> OAAction {
    let details = given.completed(by: order?.details ?? given)
    let order = try await admitted(.submitBasicDetails, details.fault(in: .submitBasicDetails))
    return try await send(details, of: order)
  }

  /// Lets the server text the link to the second device.
  func sendLink(to number: String) async throws(OAError) -> OAAction {
    // Which countries the partner serves, the server knows.
    let fault = SecondMobileNumber.fault(number, purchase: order?.purchaseNumber, countries: .all)
    let order = try await admitted(.sendUploadLink, fault)
    let link = OneAssist.LinkRequest(orderUUID: order.code, verificationNo: number)
    let client = client
    let answer = try await told { () async throws(CallFailure) in try await client.sendLink(link) }
    learn(answer.taskInfo)
    self.order?.isLinkSent = true
    return self.order?.stageAfterLink ?? order.stageAfterLink
  }

  func send(_ details: UserDetails, of order: KnownOrder) async throws(OAError) -> OAAction {
    let lead = OneAssist.LeadRequest(
      orderUUID: order.code, address: .init(addrLine1: details.address, pinCode: details.pinCode),
      deviceDetail: .init(
        deviceModel: ports.device.model, imei: imei?.imei, imei2: imei?.imei2, ocrRepaired: imei?.ocrRepaired))
    let client = client
    let answer = try await told { () async throws(CallFailure) in try await client.submit(lead) }
    self.order?.details = details
    self.order?.status = answer.taskInfo?.status ?? MembershipStatus.detailsComplete.rawValue
    return imei == nil ? .fetchDeviceId : .sendUploadLinkOrOpenSecureScreen
  }

  /// The order, when every precondition of the call holds (§4.2).
  func admitted(_ call: ActivationCall, _ argument: ArgumentFault? = nil) async throws(OAError) -> KnownOrder {
    var facts = CallFacts(status: order?.status)
    facts.hasActivationCode = order != nil
    facts.hasIMEI = imei != nil
    facts.argumentFault = argument
    facts.isLinkSent = order?.isLinkSent == true
    if call.showsSecureScreen { facts.isScreenCaptured = await ports.capture.isCaptured() }
    if let fault = call.firstFault(facts) { throw OAError(fault) }
    guard let order else { throw .ERROR_EMPTY_ACTIVATION_CODE }
    return order
  }

  // MARK: Exchanges

  /// What the exchange brings; whatever it says of the membership is noted.
  func told<Answer: Sendable>(
    _ exchange: @Sendable () async throws(CallFailure) -> Answer
  ) async throws(OAError) -> Answer {
    do throws(CallFailure) { return try await exchange() } catch {
      if let status = error.status { order?.status = status }
      throw error.error
    }
  }

  func learn(_ task: OneAssist.TaskInfo?) {
    if let status = task?.status { order?.status = status }
  }

  private static func outcome<Answer: Sendable>(
    _ exchange: @Sendable () async throws(CallFailure) -> Answer
  ) async -> Result<Answer, CallFailure> {
    do throws(CallFailure) { return .success(try await exchange()) } catch { return .failure(error) }
  }

  private static func value<Answer>(of outcome: Result<Answer, CallFailure>) throws(OAError) -> Answer {
    switch outcome {
    case .success(let answer): return answer
    case .failure(let failure): throw failure.error
    }
  }

  // MARK: Behind the calls

  /// Does what no call waits for.
  func backgroundTask(_ work: @escaping @Sendable () async -> Void) {
    backgroundTasksStarted += 1
    let number = backgroundTasksStarted
    backgroundTasks[number] = Task {
      await work()
      backgroundTasks[number] = nil
    }
  }

  func finishBackgroundTasks() async {
    while let backgroundTask = backgroundTasks.first { await backgroundTask.value.value }
  }
}
