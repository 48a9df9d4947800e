import { BuiltInDefinitions } from '../../../apiserver/apis/kubernetes/builtInDefinitions.ts'

/** Definitions of the built-in groups without descriptions. */
export const bareDefinitions = new BuiltInDefinitions(() => undefined)
