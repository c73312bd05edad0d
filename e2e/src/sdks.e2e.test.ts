import { testSdks, useSdkProvider } from './support/sdk-conversations.ts';
import { NODE_PROGRAMS } from './support/sdks.ts';

useSdkProvider();

// The programs in Python run in the long tier.
testSdks(NODE_PROGRAMS);
