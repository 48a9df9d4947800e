/** A module of its own, so that the build can join the package: what is imported when it is needed has to be a module of the
 *  newer format. */
export { ClassicLevel } from 'classic-level'
