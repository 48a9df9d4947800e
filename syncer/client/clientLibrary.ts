/**
 * Separate module, so that the build includes only these two classes: a dynamically imported package is included whole.
 */
export { KubeConfig, Watch } from '@kubernetes/client-node'
