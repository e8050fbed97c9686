// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Hummingbird
import Synchronization

/// Keeps requests of networks that cost the node much lately from standing in the way of others: they are carried out
/// on threads of their own, for half of the processors, so that a processor is free when another request comes. None
/// is refused, and without others they have the whole node.
///
/// It knows the client's address, and is the outermost after that.
package struct FairShareMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  private let costs: NetworkCosts
  private let executor: any TaskExecutor

  package init(_ costs: NetworkCosts) {
    self.init(costs, executor: LimitedExecutor(ProcessInfo.processInfo.activeProcessorCount / 2))
  }

  init(_ costs: NetworkCosts, executor: any TaskExecutor) { (self.costs, self.executor) = (costs, executor) }

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    // What this machine asks by itself is not of a client.
    guard let address = context.clientAddress, ClientNetwork.ofStranger(address) != nil else {
      return try await next(request, context)
    }
    let network = ClientNetwork.subscriber(address)
    let waits = costs.begin(from: network)
    let received = request.headers[.contentLength].flatMap { Int($0) } ?? 0
    var (isRefused, sent) = (true, 0)
    defer { costs.end(from: network, isRefused: isRefused, received: received, sent: sent) }
    let response =
      waits
      ? try await withTaskExecutorPreference(executor) { try await next(request, context) }
      : try await next(request, context)
    (isRefused, sent) = (response.status.code >= 400, response.body.contentLength ?? 0)
    return response
  }
}

/// Carries out tasks on so many threads of the system's at once.
private final class LimitedExecutor: TaskExecutor {
  private let queues: [DispatchQueue]
  private let next = Atomic<UInt>(0)

  init(_ width: Int) {
    queues = (0..<max(1, width)).map { DispatchQueue(label: "demanding requests \($0)") }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let (job, executor) = (UnownedJob(job), asUnownedTaskExecutor())
    let number = next.wrappingAdd(1, ordering: .relaxed).newValue % UInt(queues.count)
    queues[Int(number)].async { job.runSynchronously(on: executor) }
  }
}
