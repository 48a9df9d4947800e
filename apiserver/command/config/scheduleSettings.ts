import { defaultServerOptions as defaults } from '../../runtime/options/serverOptions.ts'
import { setting, type Setting } from './setting.ts'
import { countFromOne, folderPath, interval } from './valueKinds.ts'

/** Settings of the backups that a server makes by itself. */
export const scheduleSettings: readonly Setting[] = [
  setting('backup.dir', {
    kind: folderPath,
    option: 'backup.folder',
    description:
      'Folder for backups that the server makes by itself; created if it does not exist. Of several servers over one ' +
      'etcd the leader makes them: give all of them the same folder. Unset: none are made.',
    assign: (draft, value) => void (draft.backup.folder = value),
  }),
  setting('backup.interval', {
    kind: interval,
    option: 'backup.intervalMs',
    default: '24h',
    description:
      'Time from one backup to the next, also across restarts. A failed backup is tried again within 5 minutes.',
    assign: (draft, value) => void (draft.backup.intervalMs = value),
  }),
  setting('backup.keep', {
    kind: countFromOne,
    default: defaults.backup.keep,
    description: 'Number of backups to keep; older ones are removed after the next one is whole.',
    assign: (draft, value) => void (draft.backup.keep = value),
  }),
]
