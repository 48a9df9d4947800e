/** Server that a proxy subresource passes requests on to. */
export interface ProxyPlace {
  scheme: 'http' | 'https'
  /** IP address. */
  address: string
  /** Host of the URL, without a port: the address, or a name of it. */
  host: string
  /** Number or name of the port; empty: the default of the scheme. */
  port: string
}

/** Place and path of a request that is passed on. */
export interface ProxyTarget extends ProxyPlace {
  /** Decoded path on that server; empty if the request named none. */
  path: string
}
