import { onlyReplica } from '../../../apiserver/platform/replicas/replicas.ts'
import { localFiles } from '../../../apiserver/platform/replicas/sharedFiles.ts'

/** Parts of a server that is alone on its storage and keeps secrets in memory. */
export const oneServer = { files: localFiles(undefined), replicas: onlyReplica }
