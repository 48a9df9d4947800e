/** Peers that our servers are compared with. */
export const peerNames = ['library', 'kube-apiserver', 'storages'] as const
export type PeerName = (typeof peerNames)[number]

/**
 * Parses a peer's name; `1` means the library, as in `make bench PEER=1`. @throws Error for an
 * unknown name.
 */
export function peerName(text: string): PeerName {
  const name = text === '1' ? 'library' : text
  const found = peerNames.find((known) => known === name)
  if (found === undefined) throw new Error(`--peer: ${text} is none of ${peerNames.join(', ')}`)
  return found
}
