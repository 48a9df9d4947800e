import type { ProgramPackage } from './joinedPackages.ts'

/**
 * The program's packages as CycloneDX 1.6 JSON; the same packages give the same bytes.
 * Source: CycloneDX 1.6, "Components".
 */
export function billOfMaterials(
  own: { name: string; version: string; license: string },
  packages: readonly ProgramPackage[],
): string {
  const ref = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`
  const components = packages.map(({ name, version, license, integrity, isJoined }) => ({
    type: 'library',
    'bom-ref': ref(name, version),
    name,
    version,
    purl: ref(name, version),
    licenses: licensesOf(license),
    ...hashesOf(integrity),
    properties: [{ name: 'packaging', value: isJoined ? 'joined' : 'installed' }],
  }))
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': ref(own.name, own.version),
        name: own.name,
        version: own.version,
        purl: ref(own.name, own.version),
        licenses: licensesOf(own.license),
      },
    },
    components: withoutRepeats(components),
    dependencies: [
      { ref: ref(own.name, own.version), dependsOn: [...new Set(components.map((c) => c.purl))] },
    ],
  }
  return `${JSON.stringify(bill, undefined, 2)}\n`
}

/** Bill of materials with the runtimes in single executables, each an npm package. */
export function withRuntimes(
  bill: string,
  runtimes: readonly { name: string; version: string }[],
): string {
  // Sound: `billOfMaterials` wrote it.
  const found = JSON.parse(bill) as { components: object[] }
  const components = runtimes.map(({ name, version }) => ({
    type: 'platform',
    'bom-ref': `pkg:npm/${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name}@${version}`,
    licenses: licensesOf('MIT'),
    properties: [{ name: 'packaging', value: 'executable' }],
  }))
  const all = { ...found, components: [...found.components, ...components] }
  return `${JSON.stringify(all, undefined, 2)}\n`
}

function licensesOf(license: string): object[] {
  if (license === 'NOASSERTION') return []
  return /[ (]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }]
}

function hashesOf(integrity: string | undefined): { hashes?: object[] } {
  const base64 = /^sha512-(.*)$/.exec(integrity ?? '')?.[1]
  if (base64 === undefined) return {}
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] }
}

function withoutRepeats<T extends { purl: string }>(components: readonly T[]): T[] {
  return [...new Map(components.map((each) => [each.purl, each])).values()]
}
