import type { BuildOptions } from 'esbuild'
import {
  clientIsPure,
  lazyRe2,
  machineCodeStays,
  namesOnDemand,
  unusedVariants,
} from './plugins.ts'

/**
 * Options to bundle a program for Node into modules that load on demand. `installed` lists packages that stay packages.
 */
export function bundleOptions(installed: readonly string[]): BuildOptions & { metafile: true } {
  return {
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // ES modules need not be wrapped, which takes half of their loading time.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
    // CommonJS packages import Node's own modules with this function.
    banner: {
      js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
    },
    // Node's own module of this name prints a warning when loaded from outside of a package.
    alias: { punycode: 'punycode/punycode.js' },
    plugins: [machineCodeStays(installed), clientIsPure, unusedVariants, lazyRe2, namesOnDemand],
  }
}
