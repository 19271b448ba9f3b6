"""The errors of this package, under one root; each is where it is raised.

WorkerError
├── OutdatedMailError      mail.errors: the notification no longer applies
├── PostponedMailError     mail.errors: its reader wants it at another time
├── AddressError           mail.headers: the address cannot receive mail (also a ValueError)
├── TransientMailError     mail.smtp: not accepted now; tried again
│   └── RelayAwayError     mail.smtp: no connection to the relay; tried again as soon as there is one
├── PermanentMailError     mail.smtp: the mailbox does not exist
├── OutdatedPushError      push.facts: the same for a notification to a browser
├── PostponedPushError     push.facts: its reader wants it at another time
├── ClockAheadError        clock: this machine's clock is ahead of the database's
├── StillOverdueError      deadlines: a due seat could not be played
├── DeliveryError          hooks.http_client: a webhook got no answer
├── NotPublicError         hooks.http_client: its host has no public address (also a ConnectError of httpcore)
├── OutdatedDeliveryError  hooks.main: the delivery no longer applies
├── TooMuchError           replies.incoming: the mail exceeds a limit, or takes too much computing or memory to read
├── ChildFaultError        replies.child: the process that reads mails failed on this one
├── NoChildError           replies.child: no such process has started
├── UnprovenSenderError    replies.authentication: the sender of the mail is not proven
├── DnsError               replies.dns: the DNS does not answer
├── RetryLaterError        replies.process: the mail cannot be read now
├── LeaseLostError         replies.process: another worker has the lease
├── AnalysisError          analyst: the process of an analysis has failed or was ended
├── MasterFileError        dev.environment: the file of the master holds something else
├── PortError              dev.environment: PORT cannot be used
├── DataDirBusyError       dev.data_lock: another runner uses this data folder
└── StartError             dev.runner: a process did not start
"""

import traceback


class WorkerError(Exception):
    """The root of all errors that this package raises itself."""


def where(fault: Exception) -> str:
    """The type and the place of a fault, without its message."""
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{type(fault).__name__} in {frame.name}, line {frame.lineno} of {frame.filename.rpartition('/')[2]}"
