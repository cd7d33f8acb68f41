import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../session/session-context.ts';
import { SignIn } from '../../session/sign-in.tsx';

/** The sign-in page at an address of its own, for links to it. */
export function Screen(): ReactNode {
  const { session } = useSession();
  return session?.account ? <Navigate to="/" replace /> : <SignIn />;
}
