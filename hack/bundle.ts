/** Joins the modules of the server into `dist/`: opening hundreds of files takes longer than running them. Packages that a
 *  start needs are joined in; all others stay packages, loaded when they are first used. */
import { build, type Plugin } from 'esbuild'

const joined = new Set([
  '@peculiar/x509',
  'classic-level',
  'pino',
  'reflect-metadata',
  'rfc6902',
  'ws',
])

const otherPackagesStay: Plugin = {
  name: 'other-packages-stay',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      const isOfPackage = importer.includes('/node_modules/')
      return isOfPackage || joined.has(path) || path.startsWith('node:')
        ? undefined
        : { external: true }
    })
  },
}

/** Finds its machine code beside its own file. */
const nativeCodeStays: Plugin = {
  name: 'native-code-stays',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
      importer.includes('/node_modules/classic-level/')
        ? { path: 'classic-level/binding.js', external: true }
        : undefined,
    )
  },
}

await build({
  entryPoints: ['apiserver/main.ts', 'apiserver/server.ts'],
  bundle: true,
  splitting: true,
  format: 'esm',
  // Packages in the newer module format need not be wrapped, which is half of their loading time.
  mainFields: ['module', 'main'],
  platform: 'node',
  target: 'node20',
  outdir: 'dist/apiserver',
  chunkNames: '../chunks/[name]-[hash]',
  sourcemap: true,
  logLevel: 'warning',
  legalComments: 'linked',
  // Packages in the older module format ask for Node's own modules by this function.
  banner: {
    js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
  },
  plugins: [nativeCodeStays, otherPackagesStay],
})
