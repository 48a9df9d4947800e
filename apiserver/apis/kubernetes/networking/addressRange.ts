/** Whether a range of addresses (`10.1.0.0/16`) is a part of another and smaller. Both were found to be ranges. */
export function isWithin(range: string, outer: string): boolean {
  const [inside, around] = [readRange(range), readRange(outer)]
  if (inside.width !== around.width || around.prefix >= inside.prefix) return false
  const shift = BigInt(around.width - around.prefix)
  return inside.address >> shift === around.address >> shift
}

interface Range {
  address: bigint
  /** How many bits an address has. */
  width: number
  prefix: number
}

function readRange(text: string): Range {
  const [address = '', bits = ''] = text.split('/')
  const prefix = Number(bits)
  return address.includes(':')
    ? { address: groups(address), width: 128, prefix }
    : { address: dotted(address), width: 32, prefix }
}

function dotted(text: string): bigint {
  return text.split('.').reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n)
}

/** `::` stands for as many zeros as are missing; an IPv4 address at the end for two groups. */
function groups(text: string): bigint {
  const [head = '', tail] = text.split('::')
  const before = groupList(head)
  const after = tail === undefined ? [] : groupList(tail)
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0n)
  return [...before, ...zeros, ...after].reduce((sum, group) => (sum << 16n) + group, 0n)
}

function groupList(text: string): bigint[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)]
    const address = dotted(group)
    return [address >> 16n, address & 0xffffn]
  })
}
