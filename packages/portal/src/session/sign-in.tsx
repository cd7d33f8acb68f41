import type { ReactNode } from 'react';
import { SignInForm } from './sign-in-form.tsx';

/** The page on which people sign in. It stands in place of the page that they asked for, which follows at once. */
export const SignIn = (): ReactNode => <SignInForm />;
