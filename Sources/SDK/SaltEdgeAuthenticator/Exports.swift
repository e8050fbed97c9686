// An app that embeds the authenticator imports one module: links, redirects and the seam to the device come with it.
@_exported public import GatehouseTransport
@_exported public import SaltEdgeCore
