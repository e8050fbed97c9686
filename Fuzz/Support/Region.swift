// SPDX-License-Identifier: Apache-2.0

/// Where a value stood: what reads values of a code knows no place.
package struct Region: Codable, Equatable, Sendable {}
