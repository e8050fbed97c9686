// An app imports this module alone: links, keys and requests come with it.
@_exported public import SEAuthenticatorCore
