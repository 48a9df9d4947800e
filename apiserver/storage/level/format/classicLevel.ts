/**
 * A separate module, so that the build can bundle the package: a dynamically imported module has to be an ES module.
 */
export { ClassicLevel } from 'classic-level'
