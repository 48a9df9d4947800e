/**
 * A separate module, so that the build joins the two classes and leaves the rest of the package out: a dynamically
 * imported package is joined whole.
 */
export { KubeConfig, Watch } from '@kubernetes/client-node'
