// SPDX-License-Identifier: Apache-2.0

/// The clock of a place: what the reader of languages needs to know of it.
package struct LocalTime: Sendable { package let identifier: String }
