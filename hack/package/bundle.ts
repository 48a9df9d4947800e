/**
 * Bundles the modules of the server and of its packages into `dist/`: opening hundreds of files takes longer than
 * running them, and a bundled package need not be installed. Packages with native code stay packages: they are the
 * `dependencies` of package.json. Writes the licences of all bundled packages and a bill of materials. With an
 * argument, writes into that folder instead of `dist/`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { bundleClient } from './bundleClient.ts'
import { addOnDemandFiles } from './onDemandFiles.ts'
import { bundleOptions } from './bundleOptions.ts'
import { checkImports } from './checkImports.ts'
import { installedPackages, joinedPackages } from './joinedPackages.ts'
import { licencesOf } from './licences.ts'
import { commonJsEntry, commonJsTypes } from './commonJsEntry.ts'
import { joinServerScript } from './serverScript.ts'
import { billOfMaterials } from './billOfMaterials.ts'

// Sound: the file belongs to the repository.
const own = JSON.parse(readFileSync('package.json', 'utf8')) as {
  name: string
  version: string
  license: string
  dependencies: Record<string, string>
}
const dist = process.argv[2] ?? 'dist'
const installed = Object.keys(own.dependencies)

const { metafile } = await build({
  ...bundleOptions(installed),
  entryPoints: [
    'apiserver/main.ts',
    'apiserver/server.ts',
    'apiserver/kubeApiserver/envtest/etcd.ts',
  ],
  outdir: `${dist}/apiserver`,
  chunkNames: '../chunks/[name]-[hash]',
  // Less to read at each start. Names stay, for stack traces and profiles.
  minifyWhitespace: true,
  minifySyntax: true,
})
const client = await bundleClient(`${dist}/cli`, installed)
checkImports(metafile, installed)
checkImports(client, installed)

await joinServerScript(dist, metafile.outputs)

const re2 = await addOnDemandFiles(`${dist}/chunks`)

const joined = joinedPackages([metafile, client, re2])
writeFileSync(`${dist}/LICENSES.txt`, licencesOf(joined))
writeFileSync(
  `${dist}/sbom.cdx.json`,
  billOfMaterials(own, [...joined, ...installedPackages(installed)]),
)
writeFileSync(`${dist}/apiserver/server.cjs`, commonJsEntry)
writeFileSync(`${dist}/apiserver/server.d.cts`, commonJsTypes)
