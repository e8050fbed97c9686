import ArgumentParser
import DocumentCore

/// A date on the command line, `YYYY-MM-DD`.
extension CalendarDate: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
