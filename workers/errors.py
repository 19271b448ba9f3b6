"""The errors of this package, under one root; each is where it is raised.

WorkerError
├── OutdatedMailError      mail.errors: what the notification says is not so any more
├── PostponedMailError     mail.errors: its reader wants it at another time
├── AddressError           mail.headers: no mail can go to this address (a ValueError, too)
├── TransientMailError     mail.smtp: not taken now; tried again
├── PermanentMailError     mail.smtp: there is no such mailbox
├── DeliveryError          hooks.http_client: a webhook got no answer
├── NotPublicError         hooks.http_client: its host has no public address (a ConnectError of httpcore, too)
├── OutdatedDeliveryError  hooks.main: it must not be sent any more
├── TooMuchError           replies.incoming: the mail is beyond a cap, or takes too much to read
├── ChildFaultError        replies.child: the process that reads mails failed at this one
├── UnprovenSenderError    replies.authentication: the sender of the mail is not proven
├── DnsError               replies.dns: the DNS is away
├── RetryLaterError        replies.process: the mail cannot be read now
├── LeaseLostError         replies.process: another worker has it by now
├── PortError              dev.environment: PORT cannot be used
├── DataDirBusyError       dev.data_lock: another runner keeps this data folder
└── StartError             dev.runner: a process did not start
"""

import traceback


class WorkerError(Exception):
    """The root of all errors that this package raises itself."""


def where(fault: Exception) -> str:
    """The type and the place of a fault, without its message."""
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{type(fault).__name__} in {frame.name}, line {frame.lineno} of {frame.filename.rpartition('/')[2]}"
