/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const pkgVersion = `
Info major:string!+ minor:string!+ emulationMajor:string? emulationMinor:string? minCompatibilityMajor:string? minCompatibilityMinor:string? gitVersion:string!+ gitCommit:string!+ gitTreeState:string!+ buildDate:string!+ goVersion:string!+ compiler:string!+ platform:string!+
`
