import { BuiltInDefinitions } from '../../../apiserver/apis/kubernetes/builtInDefinitions.ts'

/** The definitions of the built-in groups without descriptions. */
export const bareDefinitions = new BuiltInDefinitions(() => undefined)
