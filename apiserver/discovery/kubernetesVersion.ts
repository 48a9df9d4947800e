/* Written by hack/update-kubernetes.sh; not to be edited. */

/** The Kubernetes version whose API is served: clients compute their version skew from it. */
export const kubernetesVersion = 'v1.37.2'
