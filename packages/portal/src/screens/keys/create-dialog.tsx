import { useState, type ReactNode } from 'react';
import { Dialog } from '../../focus/dialog.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CreateForm } from './create-form.tsx';
import type { Key } from './key-state.ts';
import { NewSecret, type KeyPair } from './new-secret.tsx';
import { texts } from './texts/index.ts';

interface CreateDialogProps {
  /** The key pair that the new one is to replace; undefined = it is another one. */
  readonly replaced: Key | undefined;
  readonly onClose: () => void;
}

/** Creates a key pair; then its secret is shown, this once. A person who leaves without having copied it is asked first. */
export function CreateDialog({ replaced, onClose }: CreateDialogProps): ReactNode {
  const t = texts.useTexts();
  const [pair, setPair] = useState<KeyPair>();
  const [isKept, setKept] = useState(false);
  const [leaving, setLeaving] = useState<{ readonly leave: () => void }>();
  const guarded = (leave: () => void) => (): void => {
    if (pair && !isKept) setLeaving({ leave });
    else leave();
  };
  return (
    <Dialog
      opened
      onClose={guarded(onClose)}
      size="lg"
      title={pair ? t.created.title : replaced ? t.replace : t.create}
      closeOnClickOutside={false}
      closeOnEscape={!leaving}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {pair ? (
        <NewSecret
          pair={pair}
          replaced={replaced}
          onKept={() => setKept(true)}
          guarded={guarded}
          onClose={onClose}
        />
      ) : (
        <CreateForm replaced={replaced} onCreated={setPair} onClose={onClose} />
      )}
      <ConfirmDialog
        opened={leaving !== undefined}
        title={t.created.leaveTitle}
        action={t.created.leave}
        dangerous
        onConfirm={() => leaving?.leave()}
        onClose={() => setLeaving(undefined)}
      >
        {t.created.leaveLead}
      </ConfirmDialog>
    </Dialog>
  );
}
