// SPDX-License-Identifier: Apache-2.0

import Kit

/// The message, or our setting for sending it, was refused for good: repeating it changes nothing.
/// Names neither recipient nor text, so that it can be logged.
package struct MessageRefused: FinalFailure, Equatable {
  package enum Reason: Sendable, Equatable {
    /// A control character in a header or an address, or an invalid address.
    case malformed
    case tooLong
    /// The tenant does not serve the number.
    case notServed
    /// The tenant's texts of the day are used up.
    case overBudget
    /// The gateway answered that it does not take it, with its SMTP reply or HTTP status.
    case byGateway(status: Int)
    /// No gateway, or a setting that the transfer library does not take.
    case misconfigured
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }
}

/// The message may go through later.
package struct MessageUndelivered: Error, Equatable {
  package enum Reason: Sendable, Equatable {
    case unreachable, timedOut, failed
    /// No trusted TLS where it is required.
    case tls
    case loginRefused
    /// The gateway is busy or broken, with its SMTP reply or HTTP status.
    case byGateway(status: Int)
    /// Too much is waiting to be sent from this process.
    case crowded
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }
}

extension MessageRefused: CaseNamedError {
  package var caseName: String {
    switch reason {
    case .malformed: "malformed"
    case .tooLong: "tooLong"
    case .notServed: "notServed"
    case .overBudget: "overBudget"
    case .byGateway(let status): "byGateway.\(status)"
    case .misconfigured: "misconfigured"
    }
  }
}

extension MessageUndelivered: CaseNamedError {
  package var caseName: String {
    switch reason {
    case .unreachable: "unreachable"
    case .timedOut: "timedOut"
    case .failed: "failed"
    case .tls: "tls"
    case .loginRefused: "loginRefused"
    case .byGateway(let status): "byGateway.\(status)"
    case .crowded: "crowded"
    }
  }
}
