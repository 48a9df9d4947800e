/* Written by hack/update-kubernetes.sh; not to be edited. */

/** The Kubernetes version of the served API. Clients compute their version skew from it. */
export const kubernetesVersion = 'v1.37.2'
