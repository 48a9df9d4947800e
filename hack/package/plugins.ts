import { isBuiltin } from 'node:module'
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** Leaves the native code of installed packages with them: it is found beside the package's own file. */
export const machineCodeStays = (installed: readonly string[]): Plugin => ({
  name: 'machine-code-stays',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^\.\/binding$/ }, ({ importer }) => {
      const owner = installed.find((name) => importer.includes(`/node_modules/${name}/`))
      return owner === undefined ? undefined : { path: `${owner}/binding.js`, external: true }
    })
  },
})

/** Omits unused modules of the client library, which does not declare that this is safe. */
export const clientIsPure: Plugin = {
  name: 'client-is-pure',
  setup: (bundler) => {
    const seen = Symbol('seen')
    bundler.onResolve({ filter: /./ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === seen || !from.importer.includes('/@kubernetes/client-node/')) return
      const { importer, resolveDir, kind } = from
      const found = await bundler.resolve(path, { importer, resolveDir, kind, pluginData: seen })
      return { ...found, sideEffects: false }
    })
  },
}

/** Replaces unused variants of the expression sandbox by empty modules. */
export const unusedVariants: Plugin = {
  name: 'unused-variants',
  setup: (bundler) => {
    const namespace = 'unused-variants'
    const filter = /^@jitl\/quickjs-wasmfile-(debug|.*asyncify)/
    bundler.onResolve({ filter }, ({ path }) => ({ path, namespace }))
    bundler.onLoad({ filter: /./, namespace }, () => ({ contents: 'export default {}' }))
  },
}

/** Loads the regular expression library from a separate file, when the first pattern is compiled. */
export const lazyRe2: Plugin = {
  name: 'lazy-re2',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/goPattern\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const contents = source.replace("load('re2js')", "load('../chunks/re2js.cjs')")
      if (contents === source) throw new Error(`${path} does not load re2js as expected`)
      return { contents, loader: 'ts' }
    })
  },
}

/**
 * Keeps the named exports that Node finds when it imports a CommonJS package on demand; bundled, such a package would
 * only have a default export.
 */
export const namesOnDemand: Plugin = {
  name: 'names-on-demand',
  setup: (bundler) => {
    const namespace = 'names-on-demand'
    bundler.onResolve({ filter: /^[@a-z]/ }, ({ kind, path, importer, resolveDir }) => {
      const isOurs = kind === 'dynamic-import' && !importer.includes('/node_modules/')
      if (!isOurs || isBuiltin(path)) return undefined
      return { path, namespace, pluginData: resolveDir }
    })
    bundler.onLoad({ filter: /./, namespace }, async ({ path, pluginData }) => {
      // Sound: imported like in the server; only the names are needed.
      const names = Object.keys((await import(path)) as object).filter((name) =>
        /^[\w$]+$/.test(name),
      )
      const contents = `export { ${names.join(', ')} } from ${JSON.stringify(path)}`
      return { contents, loader: 'js', resolveDir: String(pluginData) }
    })
  },
}
